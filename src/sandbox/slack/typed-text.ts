/** What Slack makes of the words that a person types. */
import type { Core } from './core.ts';
import type { Fields } from './json.ts';

/** An entity that has been chosen from a menu already: `<@U…>`, `<#C…|name>`, `<!subteam^S…>`, `<https://…>`. */
const ENTITY = /<(?:[@#][A-Z0-9]+(?:\|[^<>|]*)?|![a-z]+(?:\^[A-Z0-9]+)?(?:\|[^<>|]*)?|https?:\/\/[^<>\s]+)>/;
const TYPED = new RegExp(`${ENTITY.source}|[@#][a-z0-9][a-z0-9._-]*|https?://[^\\s<>]+|[&<>]`, 'g');
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Only the three characters that Slack's own markup is made of. */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPED[character] ?? character);
}

/** With people, channels, user groups and links turned into entities, and everything else escaped. */
export function withEntities(core: Core, text: string): string {
  return text.replace(TYPED, (typed) => {
    if (typed in ESCAPED) return escapeText(typed);
    if (typed.startsWith('<')) return typed;
    if (typed.startsWith('http')) return `<${escapeText(typed)}>`;
    return mention(core, typed) ?? typed;
  });
}

function mention({ directory, app }: Core, typed: string): string | undefined {
  const name = typed.slice(1);
  if (typed.startsWith('#')) {
    const channel = directory.channels().find((each) => each.name === name);
    return channel && `<#${channel.id}|${channel.name}>`;
  }
  const user = name === app.botName ? app.botUser : directory.people().find((each) => each.name === name)?.id;
  if (user !== undefined) return `<@${user}>`;
  const group = directory.userGroups().find((each) => each.handle === name);
  return group && `<!subteam^${group.id}|@${group.handle}>`;
}

/** The rich text in which a person's message arrives. */
export function richTextOf(text: string, blockId: string): Fields {
  const parts = text.split(new RegExp(`(${ENTITY.source})`)).filter((part) => part !== '');
  const elements = parts.map(partOf);
  return { type: 'rich_text', block_id: blockId, elements: [{ type: 'rich_text_section', elements }] };
}

function partOf(part: string): Fields {
  const [, sign = '', id = ''] = /^<([@#])([A-Z0-9]+)/.exec(part) ?? [];
  if (sign === '@') return { type: 'user', user_id: id };
  if (sign === '#') return { type: 'channel', channel_id: id };
  const group = /^<!subteam\^([A-Z0-9]+)/.exec(part)?.[1];
  if (group !== undefined) return { type: 'usergroup', usergroup_id: group };
  const link = /^<(https?:[^>]+)>$/.exec(part)?.[1];
  if (link !== undefined) return { type: 'link', url: unescapeText(link) };
  const range = /^<!(here|channel|everyone)/.exec(part)?.[1];
  return range === undefined ? { type: 'text', text: unescapeText(part) } : { type: 'broadcast', range };
}

function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
