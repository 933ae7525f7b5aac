/** Tables, functions and modules of a trace, loaded once for the SQL page. */
import { signal } from '@preact/signals';
import { schema as load, type Schema } from '../api/traces';

const schemas = signal<ReadonlyMap<string, Schema>>(new Map());
const asked = new Set<string>();

/** Returns the schema of a trace, or null until it is there. */
export function schemaOf(trace: string | null): Schema | null {
  if (trace === null) return null;
  const known = schemas.value.get(trace);
  if (known) return known;
  if (!asked.has(trace)) {
    asked.add(trace);
    load(trace).then(
      (schema) => (schemas.value = new Map(schemas.value).set(trace, schema)),
      () => asked.delete(trace),
    );
  }
  return null;
}
