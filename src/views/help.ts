/** Common tasks with the topics, the commands of topics, or one command. */
import { actions, type Button, button, context, lines, section } from './kit/blocks.ts';
import { writeButtonValue } from './kit/button-value.ts';
import { code, joined, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { runButton } from './kit/run-button.ts';
import type { Block, HelpEntry, HelpSection, RenderedMessage, View } from './model.ts';
import { problemWords } from './problems/problem-words.ts';

type HelpView = Extract<View, { kind: 'help' }>;
type Start = NonNullable<HelpView['start']>;

const BUDGET = 9_000;
const FILTERS_BUDGET = 3_000;
const MOST_VALUES = 30;
/** A row says little: the rest is behind `help COMMAND`. */
const BRIEF = 160;

export function renderHelp(view: HelpView): RenderedMessage {
  if (view.start !== undefined) return first(view.start, view.root);
  return view.topic === null ? all(view) : one(view.topic, view);
}

function first({ tasks, topics }: Start, root: string): RenderedMessage {
  const title = md`What you can do with ${literal(root)}`;
  const each = topics.map((name) => code(`${root} help ${name}`));
  return message({
    text: title,
    body: [
      section(md`*${title}*`),
      ...lines(
        tasks.map((task) => md`${literal(task.title)}: ${code(`${root} ${task.line}`, SHOWN.sentence)}`),
        { budget: BUDGET, more },
      ),
      section(md`*Topics*\n${joined(each, ' · ')}`),
    ],
    end: [
      ...actions(...topics.map(topicButton)),
      context(
        md`${code(`${root} help COMMAND`)} explains one command. ${code(`${root} help all`)} lists every command.`,
      ),
      WAYS,
    ],
  });
}

function topicButton(name: string, at: number): Button | null {
  const label = LABELS.get(name) ?? name;
  return runButton({ action: `topic:${at}`, label, command: 'help', input: { topic: name }, page: 0 });
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['looking', 'Looking'],
  ['changing', 'Changing'],
  ['alerts', 'Alerts'],
  ['filters', 'Filters'],
  ['settings', 'Settings'],
]);

const WAYS = context(
  md`Put names with spaces in quotes. In a thread, mention me instead of using a slash command. In a direct message, type only the command.`,
);

function all({ sections, withheld, refusal, root }: HelpView): RenderedMessage {
  const [only, ...others] = sections;
  const topic = refusal === null && others.length === 0 ? only : undefined;
  const title = topic === undefined ? md`What you can do with ${literal(root)}` : literal(topic.title);
  const listed =
    topic === undefined ? sections.flatMap((one) => rows(one, root)) : commandRows(topic.commands, root);
  return message({
    text: title,
    body: [
      section(md`*${title}*`),
      ...(refusal === null ? [] : [section(why(refusal, root))]),
      ...lines(listed, { budget: BUDGET, more }),
    ],
    end: [
      ...(refusal === null ? withheldNote(withheld) : []),
      context(md`${code(`${root} help COMMAND`)} explains one command.`),
      WAYS,
    ],
  });
}

function withheldNote(withheld: number): readonly Block[] {
  if (withheld === 0) return [];
  return [
    context(
      withheld === 1
        ? md`1 more command needs a higher role.`
        : md`${withheld} more commands need a higher role.`,
    ),
  ];
}

const more = (left: number): Mrkdwn => md`${left} more aren’t shown.`;

function rows({ title, commands }: HelpSection, root: string): readonly Mrkdwn[] {
  if (commands.length === 0) return [];
  return [md`*${literal(title)}*`, ...commandRows(commands, root)];
}

function commandRows(commands: readonly HelpEntry[], root: string): readonly Mrkdwn[] {
  return commands.map(
    ({ name, summary }) => md`${code(`${root} ${name}`)} ${literal(brief(summary), BRIEF)}`,
  );
}

/** Its first sentence where the whole would be cut. */
function brief(summary: string): string {
  if (summary.length <= BRIEF) return summary;
  const end = summary.indexOf('. ');
  return end === -1 ? summary : summary.slice(0, end + 1);
}

function one(topic: HelpEntry, view: HelpView): RenderedMessage {
  const { root, refusal, attempt, filters: explained, sections, withheld } = view;
  const examples = topic.examples.slice(0, 10).map((example) => code(`${root} ${example}`, SHOWN.sentence));
  const filters =
    explained?.map(({ text, words }) => md`${code(text)} ${literal(words)}`) ?? filtersOf(topic.usage);
  return message({
    text: md`${code(`${root} ${topic.usage}`, SHOWN.sentence)} ${literal(topic.summary, SHOWN.sentence)}`,
    body: [
      section(
        md`${code(`${root} ${topic.usage}`, SHOWN.sentence)}\n${literal(topic.summary, SHOWN.sentence)}`,
      ),
      ...(refusal === null ? [] : [section(why(refusal, root))]),
      ...(filters.length === 0 ? [] : lines([md`*Filters*`, ...filters], { budget: FILTERS_BUDGET, more })),
      ...(examples.length === 0 ? [] : [section(md`*Examples*\n${joined(examples, '\n')}`)]),
      ...lines(
        sections.flatMap((one) => rows(one, root)),
        { budget: BUDGET, more },
      ),
    ],
    end: [...withheldNote(withheld), ...actions(attempt === null ? null : tryButton(attempt))],
  });
}

function tryButton(attempt: NonNullable<HelpView['attempt']>): Button | null {
  const value = writeButtonValue(attempt);
  const label = attempt.do === 'run' ? 'Run' : 'Open form';
  return value === null ? null : button({ action: 'try', label, value });
}

/** What of a usage has a colon, with what may stand behind that. */
function filtersOf(usage: string): readonly Mrkdwn[] {
  const found = [...usage.matchAll(/(?<=^|[\s[|])([a-z]+):([^\s\]]+)/g)];
  return found.map(([, key = '', value = '']) => {
    const values = value.split('|');
    const first = code(`${key}:${values[0] ?? ''}`);
    const others = values.slice(1, MOST_VALUES).map((other) => code(other));
    return others.length === 0 ? first : md`${first} or ${joined(others, ', ')}`;
  });
}

function why(refusal: Parameters<typeof problemWords>[0], root: string): Mrkdwn {
  const { what, next } = problemWords(refusal, root);
  return md`${what} ${next}`;
}
