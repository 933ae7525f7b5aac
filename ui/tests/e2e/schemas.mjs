/** Compares JSON with the schemas of the API's document, which use a part of JSON Schema. */

const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value);

/** Returns what a schema says that a value is not, and members that the schema does not name; each with its path. */
export function mismatches(value, schema, path = '$') {
  const type = typeOf(value);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.includes(type) && !(type === 'integer' && types.includes('number'))) return [`${path} is ${type}, not ${types.join(' or ')}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is ${JSON.stringify(value)}, not one of ${schema.enum.join(', ')}`];
  if (type === 'array') return schema.items ? value.flatMap((item, i) => mismatches(item, schema.items, `${path}[${i}]`)) : [];
  if (type !== 'object' || !schema.properties) return [];
  return [
    ...(schema.required ?? []).filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, member]) => (name in schema.properties ? mismatches(member, schema.properties[name], `${path}.${name}`) : [`${path}.${name} is not in the schema`])),
  ];
}
