/**
 * Slack's rules for a message, written independently of the product's own numbers, so that a mistake in those shows.
 * Source: docs.slack.dev, block reference; total size: slackapi/bolt-js issue 2509.
 */
import type { Block, RenderedMessage } from '../../src/views/views.ts';
import { renderedTexts } from './rendered-text.ts';

type Json = Readonly<Record<string, unknown>>;

/** Every rule that the message breaks, in words; also in its plain form, which windows accept too. */
export function brokenRules({ text, blocks, plain }: RenderedMessage): readonly string[] {
  const rich = ['table', 'data_visualization'];
  const strays = (plain ?? []).filter(({ type }) => rich.includes(type)).map(({ type }) => `a plain ${type}`);
  return [...brokenForm(text, blocks), ...(plain === undefined ? [] : brokenForm(text, plain)), ...strays];
}

function brokenForm(text: string, blocks: readonly Block[]): readonly string[] {
  return [
    ...rule(blocks.filter(({ type }) => type === 'table').length <= 1, 'several tables'),
    ...rule(text.trim() !== '' && text.length <= 4_000, `text of ${text.length}`),
    ...rule(blocks.length >= 1 && blocks.length <= 50, `${blocks.length} blocks`),
    ...rule(JSON.stringify(blocks).length <= 12_000, `${JSON.stringify(blocks).length} characters`),
    ...rule(
      unique(blocks.flatMap(({ block_id: id }) => (id === undefined ? [] : [id]))),
      'a repeated block_id',
    ),
    ...blocks.flatMap(brokenBlock),
    ...unsafe('mrkdwn', text),
    ...unsafeTexts(blocks),
  ];
}

/** Anything in the texts of these blocks that could mention, link or format without being our own. */
export function unsafeTexts(blocks: readonly Block[]): readonly string[] {
  return renderedTexts(blocks).flatMap(({ type, text }) => unsafe(type, text));
}

function brokenBlock(block: Block): readonly string[] {
  switch (block.type) {
    case 'section':
      return [
        ...rule(block['text'] !== undefined || block['fields'] !== undefined, 'an empty section'),
        ...(block['text'] === undefined ? [] : textRule(block['text'], 3_000)),
        ...(block['fields'] === undefined ? [] : fieldsRule(list(block['fields']))),
        ...(block['accessory'] === undefined ? [] : buttonRule(object(block['accessory']))),
      ];
    case 'context': {
      const elements = list(block['elements']);
      return [
        ...rule(elements.length >= 1 && elements.length <= 10, 'elements of a context'),
        ...elements.flatMap((element) => textRule(element, 3_000)),
      ];
    }
    case 'actions': {
      const elements = list(block['elements']).map(object);
      const styles = elements.map((element) => element['style']);
      return [
        ...rule(elements.length >= 1 && elements.length <= 25, 'elements of actions'),
        ...rule(unique(elements.map((element) => element['action_id'])), 'a repeated action_id'),
        ...rule(styles.filter((style) => style === 'primary').length <= 1, 'several primary buttons'),
        ...rule(styles.filter((style) => style === 'danger').length <= 1, 'several danger buttons'),
        ...rule(String(block.block_id ?? '').length <= 255, 'a block_id too long'),
        ...elements.flatMap((one) => (one['type'] === 'static_select' ? menuRule(one) : buttonRule(one))),
      ];
    }
    case 'divider':
      return [];
    case 'table':
      return tableRule(block);
    case 'data_visualization':
      return [
        ...rule(fits(block['title'], 50), 'the title of a chart'),
        ...chartRule(object(block['chart'])),
      ];
    default:
      return [`a block of type ${block.type}`];
  }
}

/** docs.slack.dev/reference/block-kit/blocks/table-block; the product makes rows of equal length. */
function tableRule({ rows, column_settings }: Json): readonly string[] {
  const all = list(rows).map(list);
  const width = all[0]?.length ?? 0;
  const settings = list(column_settings).map(object);
  return [
    ...rule(all.length >= 2 && all.length <= 100, `${all.length} rows`),
    ...rule(width >= 1 && width <= 20 && all.every((row) => row.length === width), 'cells of a row'),
    ...rule(settings.length <= 20 && settings.every(isSetting), 'the settings of a column'),
    ...all.flat().flatMap((cell) => cellRule(object(cell))),
    ...rule(cellText(rows) <= 10_000, `${cellText(rows)} characters in cells`),
  ];
}

function isSetting({ align, is_wrapped: isWrapped, ...others }: Json): boolean {
  const known = ['left', 'center', 'right'].includes(String(align)) && typeof isWrapped === 'boolean';
  return known && Object.keys(others).length === 0;
}

function cellRule({ type, text, elements }: Json): readonly string[] {
  if (type === 'raw_text') {
    return [
      ...rule(typeof text === 'string' && text !== '', 'an empty cell'),
      ...unsafe('raw_text', String(text)),
    ];
  }
  const [section, ...others] = list(elements).map(object);
  const pieces = list(section?.['elements']).map(object);
  return [
    ...rule(type === 'rich_text' && section?.['type'] === 'rich_text_section', `a cell of type ${type}`),
    ...rule(others.length === 0 && pieces.length >= 1, 'the sections of a cell'),
    ...pieces.flatMap(pieceRule),
  ];
}

/** docs.slack.dev/reference/block-kit/blocks/rich-text-block */
function pieceRule({ type, text, user_id: user, timestamp, format, fallback }: Json): readonly string[] {
  switch (type) {
    case 'text':
      return [
        ...rule(typeof text === 'string' && text !== '', 'an empty text'),
        ...unsafe('raw_text', String(text)),
      ];
    case 'user':
      return rule(/^[UW][A-Z0-9]+$/.test(String(user)), `the person ${user}`);
    case 'date':
      return [
        ...rule(Number.isInteger(timestamp) && typeof format === 'string', `the time ${timestamp}`),
        ...rule(fits(fallback, 40), 'the fallback of a time'),
      ];
    default:
      return [`a piece of type ${type}`];
  }
}

/** Of all cells of a table. */
function cellText(rows: unknown): number {
  let sum = 0;
  JSON.stringify(rows, (key, value: unknown) => {
    if (key === 'text' && typeof value === 'string') sum += value.length;
    return value;
  });
  return sum;
}

/** docs.slack.dev/reference/block-kit/blocks/data-visualization-block, for bars. */
function chartRule({ type, series, axis_config }: Json): readonly string[] {
  const categories = list(object(axis_config)['categories']);
  const all = list(series).map(object);
  return [
    ...rule(type === 'bar', `a chart of type ${type}`),
    ...rule(all.length >= 1 && all.length <= 6, `${all.length} series`),
    ...rule(categories.length >= 1 && categories.length <= 20 && unique(categories), 'categories'),
    ...categories.flatMap((label) => rule(fits(label, 20), `the label ${label}`)),
    ...all.flatMap(({ name, data }) => [
      ...rule(fits(name, 20), 'the name of a series'),
      ...rule(
        JSON.stringify(list(data).map((point) => object(point)['label'])) === JSON.stringify(categories),
        'a point for each category',
      ),
      ...rule(
        list(data).every((point) => Number.isFinite(object(point)['value'])),
        'a value',
      ),
    ]),
  ];
}

function fits(text: unknown, max: number): boolean {
  return typeof text === 'string' && text.length >= 1 && text.length <= max;
}

function fieldsRule(fields: readonly unknown[]): readonly string[] {
  return [
    ...rule(fields.length >= 1 && fields.length <= 10, `${fields.length} fields`),
    ...fields.flatMap((field) => textRule(field, 2_000)),
  ];
}

function buttonRule(button: Json): readonly string[] {
  const { action_id: action, value, style, confirm } = button;
  return [
    ...rule(
      typeof action === 'string' && /^[a-z_]+(:[a-z0-9]+)?$/.test(action) && action.length <= 255,
      `action ${action}`,
    ),
    ...rule(typeof value === 'string' && value.length <= 2_000, 'a value too long'),
    ...rule(style === undefined || style === 'primary' || style === 'danger', 'a style'),
    ...textRule(button['text'], 75, 'plain_text'),
    ...(confirm === undefined ? [] : confirmRule(object(confirm))),
  ];
}

/** docs.slack.dev/reference/block-kit/block-elements/select-menu-element#static_select */
function menuRule({
  action_id: action,
  placeholder,
  options,
  initial_option: initial,
}: Json): readonly string[] {
  const all = list(options).map(object);
  return [
    ...rule(/^[a-z_]+$/.test(String(action)), `action ${action}`),
    ...textRule(placeholder, 150, 'plain_text'),
    ...rule(all.length >= 1 && all.length <= 100, `${all.length} options`),
    ...all.flatMap(({ text, value }) => [
      ...textRule(text, 75, 'plain_text'),
      ...rule(fits(value, 75), 'the value of an option'),
    ]),
    ...rule(
      initial === undefined || all.some((one) => JSON.stringify(one) === JSON.stringify(initial)),
      'an initial option that is none',
    ),
  ];
}

function confirmRule({ title, text, confirm, deny }: Json): readonly string[] {
  return [
    ...textRule(title, 100, 'plain_text'),
    ...textRule(text, 300, 'plain_text'),
    ...textRule(confirm, 30, 'plain_text'),
    ...textRule(deny, 30, 'plain_text'),
  ];
}

function textRule(value: unknown, max: number, type?: string): readonly string[] {
  const { type: kind, text } = object(value);
  return [
    ...rule(kind === (type ?? 'mrkdwn'), `a text of type ${kind}`),
    ...rule(
      typeof text === 'string' && text.length >= 1 && text.length <= max,
      `a text longer than ${max} or empty`,
    ),
  ];
}

/** Dates, people, channels and links as the product itself writes them. */
const OURS =
  /<!date\^-?\d+\^(?:\{date_short_pretty\} at \{time\}|\{date_short\} at \{time\} \(\{ago\}\))\|[\d-]+ at [\d:]+ UTC>|<@[UW][A-Z0-9]+>|<!subteam\^S[A-Z0-9]+>|<#[CDG][A-Z0-9]+>|<https:\/\/example\.slack\.com\/[^<>|]*\|Open the (?:request|alert|current message|file)>/g;
const UNSEEN = /[\p{Cc}\u00AD\u3164\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;

function unsafe(type: string, text: string): readonly string[] {
  const seen = text.replaceAll('\n', ' ');
  const rest = type === 'mrkdwn' ? seen.replace(OURS, '') : seen.replace(/<(?![!@#])/g, '');
  return [
    ...rule(!/[<]/.test(rest), `a mention or link in ${text}`),
    ...rule(type !== 'mrkdwn' || !rest.includes('>'), `a bare > in ${text}`),
    ...rule(type !== 'mrkdwn' || !/&(?!amp;|lt;|gt;)/.test(rest), `a torn or bare & in ${text}`),
    ...rule(type !== 'mrkdwn' || (rest.split('`').length - 1) % 2 === 0, `an open code span in ${text}`),
    ...rule(!UNSEEN.test(seen), `an invisible character in ${JSON.stringify(text)}`),
    ...rule(text.isWellFormed(), `a torn character in ${text}`),
  ];
}

function rule(kept: boolean, what: string): readonly string[] {
  return kept ? [] : [what];
}

function unique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function object(value: unknown): Json {
  // JSON of the product's own making: whatever is missing shows as a broken rule
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
