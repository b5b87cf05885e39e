/** What a person wrote, as a Slack client sends it: commands raw, other text escaped and with its mentions as ids. */
/** @import { World } from '../types.d.ts' */

/**
 * @param {string} line
 * @returns {{command: string, text: string} | null} null for what is no command
 */
export function asCommand(line) {
  const match = /^(\/[^\s/]+)(?:\s+([\s\S]*))?$/.exec(line);
  return match ? { command: match[1] ?? '', text: (match[2] ?? '').trim() } : null;
}

/**
 * @param {string} line
 * @param {World | null} world
 * @param {{id: string | null, name: string}} bot
 */
export function asMessage(line, world, bot) {
  const escaped = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replace(/(?<![\w@#])([@#])([\w-]+)/g, (whole, mark, name) => {
    if (mark === '@') return person(name, world, bot) ?? whole;
    const channel = world?.channels.find((each) => each.name === name.toLowerCase());
    return channel ? `<#${channel.id}|${channel.name}>` : whole;
  });
}

/**
 * @param {string} name
 * @param {World | null} world
 * @param {{id: string | null, name: string}} bot
 */
function person(name, world, bot) {
  const wanted = name.toLowerCase();
  if (['here', 'channel', 'everyone'].includes(wanted)) return `<!${wanted}>`;
  if (wanted === bot.name.toLowerCase()) return bot.id && `<@${bot.id}>`;
  const user = world?.users.find((each) => each.name === wanted);
  return user ? `<@${user.id}>` : null;
}
