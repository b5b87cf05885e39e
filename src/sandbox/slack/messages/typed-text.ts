/** Converts what a person types as Slack does (docs.slack.dev/messaging/formatting-message-text). */

import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import { emojiCharacter } from '../objects/emoji-names.ts';
import { type Channel, canRead } from '../state/directory.ts';

/** An entity that was already chosen from a menu, in any form that Slack has used. */
const ENTITY = new RegExp(
  [
    /<[@#][A-Z0-9]+(?:\|[^<>|]*)?>/,
    /<!(?:subteam\^[A-Z0-9]+|here|channel|everyone)(?:\|[^<>|]*)?>/,
    /<(?:https?:\/\/|mailto:)[^<>|\s]+(?:\|[^<>|]*)?>/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
/** Punctuation at the end belongs to the sentence, not to the address. */
const ADDRESS = /https?:\/\/[^\s<>|]*[^\s<>|.,;:!?'")\]]/;
/**
 * A host without a protocol becomes a link to it with itself as text (docs.slack.dev/messaging/formatting-message-text, “So
 * does this one”; slackapi/hubot-slack, issue 181). Slack knows every top-level domain; these are common ones.
 */
const HOST =
  /(?<![\w@#./&:-])(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.)+(?:com|net|org|edu|gov|io|dev|app|cloud)(?![\w@-]|\.\w)(?:\/[^\s<>|]*[^\s<>|.,;:!?'")\]])?/;
/** The length limit before the @ (RFC 5321) keeps the search through a long word linear. */
const MAIL = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/;
const NAME = /[@#][A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?/;
const TYPED = new RegExp(
  [ENTITY, ADDRESS, MAIL, HOST, NAME, /[&<>]/].map(({ source }) => source).join('|'),
  'g',
);
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const EVERYBODY = ['here', 'channel', 'everyone'];

/** Escapes only the three characters of Slack's markup. */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPED[character] ?? character);
}

export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/**
 * What `user` typed, with people, channels, user groups and links turned into entities, and everything else escaped.
 */
export function withEntities(core: WorkspaceCore, text: string, user: string): string {
  return text.replace(TYPED, (typed) => {
    if (typed in ESCAPED) return escapeText(typed);
    if (typed.startsWith('<')) return typed;
    if (/^[@#]/.test(typed)) return mentionToken(core, typed, user) ?? typed;
    return MAIL_ALONE.test(typed) ? `<mailto:${typed}|${typed}>` : addressLink(escapeText(typed));
  });
}

const MAIL_ALONE = new RegExp(`^${MAIL.source}$`);
const TOKEN_OR_ADDRESS = new RegExp(`<[^<>]*>|${ADDRESS.source}|${HOST.source}`, 'g');

/**
 * An app's text, with the addresses that are not in a token as links
 * (docs.slack.dev/messaging/formatting-message-text, “Links in retrieved messages”).
 */
export function withAddressLinks(text: string): string {
  return text.replace(TOKEN_OR_ADDRESS, (found) => (found.startsWith('<') ? found : addressLink(found)));
}

function addressLink(address: string): string {
  return /^https?:/.test(address) ? `<${address}>` : `<http://${address}|${address}>`;
}

/** Matches the bot by its display name `@Patchbay` as well as by `@patchbay`, as Slack's menu of names does. */
function mentionToken({ directory, app }: WorkspaceCore, typed: string, user: string): string | undefined {
  const name = typed.slice(1).toLowerCase();
  if (typed.startsWith('#')) {
    const channel = directory.channels().find((each) => each.name === name);
    return channel && canRead(channel, user) ? channelMention(channel) : undefined;
  }
  if (EVERYBODY.includes(name)) return `<!${name}>`;
  const meant =
    name === app.botName ? app.botUser : directory.people().find((each) => each.name === name)?.id;
  if (meant !== undefined) return `<@${meant}>`;
  const group = directory.userGroups().find((each) => each.handle === name);
  return group && `<!subteam^${group.id}|@${group.handle}>`;
}

/** A private channel's name is not sent (docs.slack.dev/interactivity/implementing-slash-commands). */
function channelMention({ id, name, kind }: Channel): string {
  return `<#${id}|${kind === 'private' ? '' : name}>`;
}

const FENCE = /```([^`]+)```/;
/**
 * Lines that begin with a bullet, lines that begin with `>`, or all lines after `>>>`
 * (docs.slack.dev/messaging/formatting-message-text, “Block quotes”; slack.com/help/articles/202288908).
 */
const GROUPS = /((?:^• .+(?:\n|$))+|^(?:>|&gt;){3}[\s\S]+|(?:^(?:>|&gt;).*(?:\n|$))+)/m;
const LONG_QUOTE = /^(?:>|&gt;){3} ?/;
const QUOTE = /^(?:>|&gt;) ?/gm;

/** The rich text block of a person's message: fences and bullets as github.com/brekkylab/backlot/issues/74 has them. */
export function toRichText(text: string, blockId: string): JsonObject {
  const elements = text
    .split(FENCE)
    .flatMap((part, index) => (index % 2 === 1 ? [preformatted(part)] : part.split(GROUPS).flatMap(linesOf)));
  return { type: 'rich_text', block_id: blockId, elements: elements.length === 0 ? [section('')] : elements };
}

function preformatted(code: string): JsonObject {
  return {
    type: 'rich_text_preformatted',
    elements: [{ type: 'text', text: unescapeText(code) }],
    border: 0,
  };
}

/** Every second part of a text that was split at its groups is a list or a quote. */
function linesOf(part: string, index: number): readonly JsonObject[] {
  if (part === '') return [];
  if (index % 2 === 0) return [section(part)];
  if (part.startsWith('• ')) return [bullets(part.trimEnd().split('\n'))];
  const quoted = part.replace(LONG_QUOTE.test(part) ? LONG_QUOTE : QUOTE, '').trimEnd();
  return [quoted === '' ? section(part) : { type: 'rich_text_quote', elements: typedParts(quoted) }];
}

function bullets(lines: readonly string[]): JsonObject {
  const elements = lines.map((line) => section(line.slice('• '.length)));
  return { type: 'rich_text_list', style: 'bullet', indent: 0, border: 0, elements };
}

function section(text: string): JsonObject {
  return { type: 'rich_text_section', elements: typedParts(text) };
}

/** Rich text elements for one line of text with entities. */
function typedParts(text: string): readonly JsonObject[] {
  const parts = text.split(new RegExp(`(${ENTITY.source})`)).filter((part) => part !== '');
  return parts.flatMap((part) => partOf(part) ?? styledParts(unescapeText(part)));
}

/** Undefined for text that is no entity. */
function partOf(part: string): JsonObject | undefined {
  const [, sign = '', id = ''] = /^<([@#])([A-Z0-9]+)/.exec(part) ?? [];
  if (sign === '@') return { type: 'user', user_id: id };
  if (sign === '#') return { type: 'channel', channel_id: id };
  const group = /^<!subteam\^([A-Z0-9]+)/.exec(part)?.[1];
  if (group !== undefined) return { type: 'usergroup', usergroup_id: group };
  const [, url, label] = /^<((?:https?|mailto):[^<>|]+)(?:\|([^<>]*))?>$/.exec(part) ?? [];
  if (url !== undefined) {
    const named = label === undefined || label === '' ? {} : { text: unescapeText(label) };
    return { type: 'link', url: unescapeText(url), ...named };
  }
  const range = /^<!(here|channel|everyone)/.exec(part)?.[1];
  return range === undefined ? undefined : { type: 'broadcast', range };
}

/** An emoji name stands between colons; digits alone are a time of day. */
const EMOJI = /:((?:[a-z][\w-]*|[+-]1)(?:::skin-tone-[2-6])?):/;
const STYLES = [
  { style: 'code', signs: /`([^`\n]+)`/ },
  { style: 'bold', signs: /\*([^\s*](?:[^*\n]*[^\s*])?)\*/ },
  { style: 'italic', signs: /_([^\s_](?:[^_\n]*[^\s_])?)_/ },
  { style: 'strike', signs: /~([^\s~](?:[^~\n]*[^\s~])?)~/ },
] as const;
/** Marks inside a word are part of it, as in `a_b_c`. */
const STYLED = new RegExp(
  `(?<![\\w*~\`:])(?:${[...STYLES.map(({ signs }) => signs), EMOJI].map(({ source }) => source).join('|')})(?![\\w*~\`])`,
  'g',
);

/**
 * Rich text elements for text without entities: plain, emoji by name, and styled where marks stand around words, as in
 * Slack's composer (slack.com/help/articles/202288908).
 */
export function styledParts(text: string): readonly JsonObject[] {
  const parts: JsonObject[] = [];
  let end = 0;
  for (const found of text.matchAll(STYLED)) {
    if (found.index > end) parts.push(plainPart(text.slice(end, found.index)));
    parts.push(styledPart(found));
    end = found.index + found[0].length;
  }
  return end < text.length ? [...parts, plainPart(text.slice(end))] : parts;
}

function plainPart(text: string): JsonObject {
  return { type: 'text', text };
}

function styledPart([, ...groups]: RegExpExecArray): JsonObject {
  const at = groups.findIndex((group) => group !== undefined);
  const text = groups[at] ?? '';
  const style = STYLES[at]?.style;
  return style === undefined
    ? { type: 'emoji', name: text, ...emojiCharacter(text) }
    : { type: 'text', text, style: { [style]: true } };
}
