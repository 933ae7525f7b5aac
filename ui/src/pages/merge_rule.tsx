/** A broken rule of the manifest, shown at the control that states what breaks it. */
import { createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { Broken, Control } from '../lib/rules';
import { shownLines } from '../lib/text';

/** The rule that the controls below break; null: none. */
export const BrokenRule = createContext<Broken | null>(null);

const noteId = 'broken-rule';

/** What marks the control as invalid, for a spread into its element. */
export type RuleProps = { 'aria-invalid'?: true; 'aria-describedby'?: string };

/** Returns the marks of a control, none while it breaks no rule. */
export function useRule(control: Control): RuleProps {
  return useContext(BrokenRule)?.control === control ? { 'aria-invalid': true, 'aria-describedby': noteId } : {};
}

/** The rule, below the first of the controls that breaks it. */
export function RuleNote({ of }: { of: readonly Control[] }): JSX.Element | null {
  const broken = useContext(BrokenRule);
  if (broken === null || !of.includes(broken.control)) return null;
  return <p class="help bad rule-note" role="alert" id={noteId}>{shownLines(broken.reason)}</p>;
}
