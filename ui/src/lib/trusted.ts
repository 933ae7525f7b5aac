/** The default policy of Trusted Types: constant templates of regular-table pass, all else throws. */

interface TypesFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string }): unknown;
}

/** The texts that regular-table assigns to an element's HTML. No text of a trace is among them. */
export const constantTemplates: readonly string[] = [
  '<div class="rt-virtual-panel"></div><div class="rt-scroll-table-clip"><slot></slot></div>',
  '<table cellspacing="0"><thead></thead><tbody></tbody></table>',
];

/** Returns the text if it is a constant template. Throws a TypeError for any other. */
export function checkTemplate(html: string): string {
  if (constantTemplates.includes(html)) return html;
  throw new TypeError('text must not become HTML');
}

/** Installs the policy where the browser has Trusted Types. Call once, before any widget. */
export function installTrustedTypes(scope: { trustedTypes?: TypesFactory } = globalThis as { trustedTypes?: TypesFactory }): void {
  scope.trustedTypes?.createPolicy('default', { createHTML: checkTemplate });
}
