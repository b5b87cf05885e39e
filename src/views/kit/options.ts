/** Slack options. Labels are cut with a mark; options whose value is too long are dropped. */
import { quoteStructure } from '../../lib/text.ts';
import type { FormOption } from '../models/form-model.ts';
import { type PlainText, plainAlone, plainTextObject, singleLine } from './escape.ts';
import { LIMIT } from './limits.ts';

export type MenuOption = {
  readonly text: PlainText;
  readonly value: string;
  readonly description?: PlainText;
};

/** Our own limit: longer menus do not help, and Slack does not document the size of a whole window. */
const MAX_OPTIONS = 500;

/** One option; null where its value is empty or too long for Slack. */
export function menuOption({ value, label, detail }: FormOption): MenuOption | null {
  if (value === '' || value.length > LIMIT.optionValue || !value.isWellFormed()) return null;
  const facts = [detail ?? []]
    .flat()
    .flatMap((fact) => (fact === '' ? [] : [quoteStructure(singleLine(fact))]));
  return {
    text: plainTextObject(plainAlone(label, LIMIT.optionText), LIMIT.optionText),
    value,
    ...(facts.length === 0 ? {} : { description: plainTextObject(facts.join(' · '), LIMIT.optionText) }),
  };
}

/** The options that fit, each value once; `left` counts the others. */
export function carriedValue(given: readonly FormOption[]): {
  readonly options: readonly MenuOption[];
  readonly left: number;
} {
  const byValue = new Map<string, MenuOption>();
  for (const one of given) {
    const option = byValue.size < MAX_OPTIONS && !byValue.has(one.value) ? menuOption(one) : null;
    if (option !== null) byValue.set(one.value, option);
  }
  const left = new Set(given.map(({ value }) => value)).size - byValue.size;
  return { options: [...byValue.values()], left };
}

/** The options of a menu, in groups where they are more than one list may have. */
export function menuOptions(options: readonly MenuOption[]) {
  if (options.length <= LIMIT.menuOptions) return { options };
  const starts = options.keys().filter((at) => at % LIMIT.menuOptions === 0);
  const groups = starts.map((at) => {
    const part = options.slice(at, at + LIMIT.menuOptions);
    return { label: plainTextObject(`${at + 1} to ${at + part.length}`, LIMIT.groupLabel), options: part };
  });
  return { option_groups: [...groups] };
}
