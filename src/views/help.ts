/** What the reader may do here, or one command. */
import { actions, type Button, button, context, lines, section } from './kit/blocks.ts';
import { writeButtonValue } from './kit/button-value.ts';
import { code, joined, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import type { HelpEntry, HelpSection, RenderedMessage, View } from './model.ts';
import { problemWords } from './problems/problem-words.ts';
import { count, listed } from './words.ts';

type HelpView = Extract<View, { kind: 'help' }>;

const BUDGET = 9_000;
const FILTERS_BUDGET = 3_000;
const MOST_VALUES = 30;
/** A row says little: the rest is behind `help COMMAND`. */
const BRIEF = 160;

export function renderHelp(view: HelpView): RenderedMessage {
  return view.topic === null ? all(view) : one(view.topic, view);
}

function all({ sections, withheld, refusal, root }: HelpView): RenderedMessage {
  const names = sections.flatMap(({ commands }) => commands.map(({ name }) => name));
  const title = md`What ${literal(root)} can do for you`;
  return message({
    text: md`${title}: ${listed(names, 40)}.`,
    body: [
      section(md`*${title}*`),
      ...(refusal === null ? [] : [section(why(refusal, root))]),
      ...lines(
        sections.flatMap((one) => rows(one, root)),
        { budget: BUDGET, more },
      ),
    ],
    end: [
      ...(withheld === 0 || refusal !== null
        ? []
        : [
            context(
              md`${count(withheld, 'more command')} ${withheld === 1 ? md`needs` : md`need`} another role than yours.`,
            ),
          ]),
      context(
        md`A device is its name, its hostname or its #id; names with spaces go in quotes. ${code(`${root} help COMMAND`)} shows everything about one command. My Home shows what waits for you, your commands and the fleet.`,
      ),
      context(
        md`The commonest have a slash command of their own, such as ${code(`${root}-device NAME`)}. In a thread, where slash commands do not work, mention me first; in a direct message the command is enough.`,
      ),
    ],
  });
}

const more = (left: number): Mrkdwn => md`${left} more did not fit.`;

function rows({ title, commands }: HelpSection, root: string): readonly Mrkdwn[] {
  if (commands.length === 0) return [];
  return [
    md`*${literal(title)}*`,
    ...commands.map(({ name, summary }) => md`${code(`${root} ${name}`)} ${literal(brief(summary), BRIEF)}`),
  ];
}

/** Its first sentence where the whole would be cut. */
function brief(summary: string): string {
  if (summary.length <= BRIEF) return summary;
  const end = summary.indexOf('. ');
  return end === -1 ? summary : summary.slice(0, end + 1);
}

function one(topic: HelpEntry, { root, refusal, attempt, filters: explained }: HelpView): RenderedMessage {
  const examples = topic.examples.slice(0, 10).map((example) => code(`${root} ${example}`, SHOWN.sentence));
  const filters =
    explained?.map(({ text, words }) => md`${code(text)} ${literal(words)}`) ?? filtersOf(topic.usage);
  return message({
    text: md`${literal(`${root} ${topic.name}`)}: ${literal(topic.summary, SHOWN.sentence)}`,
    body: [
      section(
        md`${code(`${root} ${topic.usage}`, SHOWN.sentence)}\n${literal(topic.summary, SHOWN.sentence)}`,
      ),
      ...(refusal === null ? [] : [section(why(refusal, root))]),
      ...(filters.length === 0 ? [] : lines([md`*Filters*`, ...filters], { budget: FILTERS_BUDGET, more })),
      ...(examples.length === 0 ? [] : [section(md`*Examples*\n${joined(examples, '\n')}`)]),
    ],
    end: actions(attempt === null ? null : tryButton(attempt)),
  });
}

function tryButton(attempt: NonNullable<HelpView['attempt']>): Button | null {
  const value = writeButtonValue(attempt);
  const label = attempt.do === 'run' ? 'Run it' : 'Fill in';
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
