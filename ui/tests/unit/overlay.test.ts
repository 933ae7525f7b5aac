/** Values of counters as texts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueText } from '../../src/timeline/overlay';

test('values are as a locale writes them', () => {
  expect([0, 5, -1204331, 1234.5678, 0.00012345678, 999999.5, -0.25].map((v) => valueText(v, null))).toEqual(['0', '5', '-1,204,331', '1,234.57', '0.000123457', '1,000,000', '-0.25']);
  expect([valueText(2e15, 'B'), valueText(1e-5, null), valueText(NaN, 'V')]).toEqual(['2.000e+15 B', '1.000e-5', 'NaN V']);
  fc.assert(fc.property(fc.double({ min: 1e-4, max: 1e15, maxExcluded: true, noNaN: true }), fc.constantFrom(4, 6), (value, digits) => {
    const options = Number.isInteger(value) ? {} : { maximumSignificantDigits: digits };
    expect(valueText(value, null, digits)).toBe(value.toLocaleString('en-US', options));
  }));
});
