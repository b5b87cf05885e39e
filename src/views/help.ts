/** Every command, or one of them. */
import { context, lines, section } from './blocks.ts';
import { code, joined, literal, type Mrkdwn, md } from './escape.ts';
import { SHOWN } from './limits.ts';
import { message } from './message.ts';
import type { HelpEntry, RenderedMessage, View } from './model.ts';
import { listed } from './words.ts';

const BUDGET = 9_000;

export function renderHelp({ commands, root, topic }: Extract<View, { kind: 'help' }>): RenderedMessage {
  return topic === null ? all(commands, root) : one(topic, root);
}

function all(commands: readonly HelpEntry[], root: string): RenderedMessage {
  const more = (left: number) => md`${left} more commands did not fit.`;
  const rows = commands.map(
    (entry) => md`${usage(entry, root)}\n${literal(entry.summary, SHOWN.sentence)}\n`,
  );
  return message({
    text: md`What ${literal(root)} can do: ${listed(
      commands.map(({ name }) => name),
      20,
    )}.`,
    body: [section(md`*What ${literal(root)} can do*`), ...lines(rows, { budget: BUDGET, more })],
    end: [
      context(
        md`A device is its name, its hostname or its #id; names with spaces go in quotes. ${code(`${root} help COMMAND`)} shows examples. My Home shows what waits for you, your commands and the fleet.`,
      ),
      context(
        md`The commonest have a slash command of their own, such as ${code(`${root}-device NAME`)}. In a thread, where slash commands do not work, mention me first; in a direct message the command is enough.`,
      ),
    ],
  });
}

function one(topic: HelpEntry, root: string): RenderedMessage {
  const examples = topic.examples.slice(0, 10).map((example) => code(`${root} ${example}`, SHOWN.sentence));
  return message({
    text: md`${literal(`${root} ${topic.name}`)}: ${literal(topic.summary, SHOWN.sentence)}`,
    body: [
      section(md`${usage(topic, root)}\n${literal(topic.summary, SHOWN.sentence)}`),
      ...(examples.length === 0 ? [] : [section(md`*Examples*\n${joined(examples, '\n')}`)]),
    ],
  });
}

function usage(entry: HelpEntry, root: string): Mrkdwn {
  return code(`${root} ${entry.usage}`, SHOWN.sentence);
}
