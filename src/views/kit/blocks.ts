/** Builders of message blocks within Slack's limits. Texts must be escaped already, as their type requires. */
import { quoteStructure } from '../../lib/text.ts';
import type { FormOption } from '../models/form-model.ts';
import {
  joinMrkdwn,
  type Mrkdwn,
  md,
  type PlainText,
  plainAlone,
  plainTextObject,
  singleLine,
  truncate,
  trustedMrkdwn,
} from './escape.ts';
import { type Block, LIMIT } from './limits.ts';

type TextObject = { readonly type: 'mrkdwn'; readonly text: Mrkdwn; readonly verbatim: true } | PlainText;

export type ConfirmDialog = {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly deny?: string;
  readonly danger?: boolean;
};

export type ButtonOptions = {
  /** The action id: what the button does, with details after a colon. */
  readonly action: string;
  readonly label: string;
  readonly value: string;
  readonly style?: 'primary' | 'danger';
  readonly confirm?: ConfirmDialog;
};

type MenuOptions = {
  readonly action: string;
  readonly placeholder: string;
  readonly options: readonly MenuOption[];
  readonly chosen: MenuOption | undefined;
};

export type Button = { readonly type: 'button'; readonly action_id: string } & Readonly<
  Record<string, unknown>
>;

export type Menu = { readonly type: 'static_select'; readonly action_id: string } & Readonly<
  Record<string, unknown>
>;

/** Verbatim, so that Slack makes no links or mentions of names and channels in the text. */
function mrkdwn(text: Mrkdwn): TextObject {
  return { type: 'mrkdwn', text, verbatim: true };
}

export function section(text: Mrkdwn, accessory?: Button | null): Block {
  return { type: 'section', text: mrkdwn(text), ...(accessory ? { accessory } : {}) };
}

/** Labels with values side by side, ten to a section as Slack allows. */
export function fields(
  items: readonly { readonly label: string; readonly value: Mrkdwn }[],
): readonly Block[] {
  const texts = items.map(({ label, value }) => mrkdwn(md`*${trustedMrkdwn(label)}*\n${value}`));
  const sections: Block[] = [];
  for (let at = 0; at < texts.length; at += LIMIT.sectionFields) {
    sections.push({ type: 'section', fields: texts.slice(at, at + LIMIT.sectionFields) });
  }
  return sections;
}

/** A line of small text; Slack allows ten parts. */
export function context(...parts: readonly Mrkdwn[]): Block {
  return { type: 'context', elements: parts.slice(0, LIMIT.contextElements).map(mrkdwn) };
}

export function divider(): Block {
  return { type: 'divider' };
}

/** A row of buttons and menus without those that are null; empty where none is left. */
export function actions(...buttons: readonly (Button | Menu | null)[]): readonly Block[] {
  const elements = buttons.filter((button) => button !== null);
  return elements.length === 0
    ? []
    : [{ type: 'actions', elements: elements.slice(0, LIMIT.actionsElements) }];
}

/** A button. Label, action id and dialog are cut to Slack’s limits; `value` must fit already. */
export function button({ action, label, value, style, confirm }: ButtonOptions): Button {
  return {
    type: 'button',
    action_id: truncate(action, LIMIT.actionId),
    text: plainTextObject(label, LIMIT.buttonText),
    value,
    ...(style === undefined ? {} : { style }),
    ...(confirm === undefined ? {} : { confirm: confirmObject(confirm) }),
  };
}

/** A select menu. `chosen`: the option that is selected at first. */
export function menu({ action, placeholder, options, chosen }: MenuOptions): Menu {
  return {
    type: 'static_select',
    action_id: truncate(action, LIMIT.actionId),
    placeholder: plainTextObject(placeholder, LIMIT.placeholder),
    options,
    ...(chosen === undefined ? {} : { initial_option: chosen }),
  };
}

function confirmObject({ title, text, confirm, deny = 'Cancel', danger = false }: ConfirmDialog): object {
  return {
    title: plainTextObject(title, LIMIT.confirmTitle),
    text: plainTextObject(text, LIMIT.confirmText),
    confirm: plainTextObject(confirm, LIMIT.confirmButton),
    deny: plainTextObject(deny, LIMIT.confirmButton),
    ...(danger ? { style: 'danger' } : {}),
  };
}

type RowBlocksOptions = {
  /** In characters, over all sections. */
  readonly budget: number;
  /** Says how many rows did not fit. */
  readonly more: (left: number) => Mrkdwn;
  /** Leaves an empty line between rows: for rows that a phone breaks into several lines. */
  readonly spaced?: boolean;
  /** In place of rows, where there are none. */
  readonly none?: Mrkdwn;
};

/** Lines packed into as few sections as possible, within `budget` characters. Lines that do not fit are counted in a last block. */
export function rowBlocks(
  items: readonly Mrkdwn[],
  { budget, more, spaced = false, none }: RowBlocksOptions,
): readonly Block[] {
  if (items.length === 0 && none !== undefined) return [section(none)];
  const separator = spaced ? '\n\n' : '\n';
  const packs: Mrkdwn[][] = [];
  let used = 0;
  let length = Number.POSITIVE_INFINITY;
  let usedLength = 0;
  for (const item of items) {
    if (used + item.length > budget) break;
    if (length + item.length + separator.length > LIMIT.sectionText) {
      packs.push([]);
      length = 0;
    }
    packs.at(-1)?.push(item);
    length += item.length + separator.length;
    used += item.length + separator.length;
    usedLength += 1;
  }
  // Expanded, because Slack would fold long texts behind "Show more".
  const blocks = packs.map((pack): Block => ({ ...section(joinMrkdwn(pack, separator)), expand: true }));
  return usedLength === items.length ? blocks : [...blocks, context(more(items.length - usedLength))];
}

/** Slack options. Labels are cut with a mark; options whose value is too long are dropped. */
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
