import { ROLES, type Role } from '../../lib/access.ts';
import type { ChannelId } from '../../lib/ids.ts';
import { upperFirst } from '../../lib/text.ts';
import type { People } from '../../rules/quorum.ts';
import { actions, type Button, button, context, rowBlocks, section } from '../kit/blocks.ts';
import { type ButtonValue, runButton, typedCommand, writeButtonValue } from '../kit/buttons.ts';
import { escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { mentionPeople, mentionPerson, mentionUserGroup } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import type { Problem } from '../models/problem-model.ts';
import { article, problemText } from '../problems/problem-text.ts';
import { countText, typedText, withRest } from '../text/common-text.ts';

type HelpView = {
  readonly kind: 'help';
  /** The start screen; absent: `sections` and `topic` are shown. */
  readonly start?: { readonly tasks: readonly HelpTask[]; readonly topics: readonly string[] };
  readonly sections: readonly HelpSection[];
  /** How many commands of the sections the reader may not use. */
  readonly withheld: number;
  /** Why the reader may use nothing at all, or not this command; on the start screen, not everything. */
  readonly refusal: Problem | null;
  readonly root: string;
  /** One command; with `sections`, the command that has the name of their topic. */
  readonly topic: HelpEntry | null;
  /** The topic's filters, each explained; absent: only its usage line is shown. */
  readonly filters?: readonly HelpFilter[];
  /** The options that its usage stands for with one word. */
  readonly options?: readonly HelpFilter[];
  /** A button that tries the topic; null where it needs arguments or the reader may not use it. */
  readonly attempt: Extract<ButtonValue, { do: 'run' | 'form' }> | null;
};

const BUDGET = 9_000;
const FILTERS_BUDGET = 3_000;
const MAX_VALUES = 30;
/** Characters of a row; `help COMMAND` has the rest. */
const MAX_SUMMARY = 160;

export function renderHelp(view: HelpView): RenderedMessage {
  if (view.start !== undefined) return first(view.start, view);
  return view.topic === null ? overviewBlocks(view) : commandHelp(view.topic, view);
}

function first(
  { tasks, topics }: NonNullable<HelpView['start']>,
  { root, refusal }: HelpView,
): RenderedMessage {
  const title = md`What you can do with ${escapeMrkdwn(root)}`;
  return buildMessage({
    text: md`${title}${roleText(refusal)}`,
    body: [
      section(md`*${title}*${roleText(refusal)}`),
      ...rowBlocks(
        tasks.map(
          (task) =>
            md`${escapeMrkdwn(task.title)}: ${inlineCode(`${root} ${task.line}`, DISPLAY_LIMIT.sentence)}`,
        ),
        { budget: BUDGET, more: moreHelpText },
      ),
    ],
    footer: [
      ...actions(...topics.map(topicButton)),
      context(
        md`Or type ${inlineCode(`${root} help TOPIC`)}: ${joinMrkdwn(
          topics.map((name) => escapeMrkdwn(name)),
          ', ',
        )}.`,
        md`${inlineCode(`${root} help all`)} lists every command. ${inlineCode(`${root} help COMMAND`)} explains one.`,
        md`Use your own names in place of those in the examples.`,
      ),
      otherWays(root),
    ],
  });
}

function roleText(access: Problem | null): Mrkdwn {
  const refused = access?.kind === 'not-allowed' ? access : null;
  const role = access === null ? 'admin' : (refused?.role ?? null);
  if (role === null) return md``;
  const change =
    refused === null
      ? md`To change roles, edit ${inlineCode('roles')} in the configuration file.`
      : md`Roles come from the configuration file. Ask ${mentionPeople(refused.ask ?? [])} to change them.`;
  return md`\nYou’re ${article(role)} ${escapeMrkdwn(role)}. Approvers and admins approve requests. ${change}`;
}

function topicButton(name: string, at: number): Button | null {
  const label = LABELS.get(name) ?? name;
  return runButton({ action: `topic:${at}`, label, command: 'help', input: { topic: name }, page: 0 });
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['looking', 'Looking up'],
  ['changing', 'Making changes'],
  ['alerts', 'Alerts'],
  ['filters', 'Filters'],
  ['settings', 'Settings'],
]);

const otherWays = (root: string) =>
  context(
    md`Put names with spaces in quotes. Slash commands don’t work in threads: mention Patchbay instead, as in ${inlineCode('@Patchbay approvals')}. In a direct message, leave out ${inlineCode(root)}, as in ${inlineCode('approvals')}.`,
  );

function overviewBlocks({ sections, withheld, refusal, root }: HelpView): RenderedMessage {
  const [only, ...others] = sections;
  const topic = refusal === null && others.length === 0 ? only : undefined;
  const title =
    topic === undefined ? md`What you can do with ${escapeMrkdwn(root)}` : escapeMrkdwn(topic.title);
  const listed =
    topic === undefined ? sections.flatMap((one) => helpRows(one, root)) : commandRows(topic.commands, root);
  return buildMessage({
    text: title,
    body: [
      section(md`*${title}*`),
      ...(refusal === null ? [] : [section(refusalNote(refusal, root))]),
      ...rowBlocks(listed, { budget: BUDGET, more: moreHelpText }),
    ],
    footer: [
      ...(refusal === null ? withheldNote(withheld) : []),
      context(md`${inlineCode(`${root} help COMMAND`)} explains one command.`),
      otherWays(root),
    ],
  });
}

function withheldNote(withheld: number): readonly Block[] {
  if (withheld === 0) return [];
  return [context(md`${countText(withheld, 'more command needs', 'more commands need')} a higher role.`)];
}

const moreHelpText = (left: number): Mrkdwn => md`${left} more aren’t shown.`;

function helpRows({ title, commands }: HelpSection, root: string): readonly Mrkdwn[] {
  if (commands.length === 0) return [];
  return [md`*${escapeMrkdwn(title)}*`, ...commandRows(commands, root)];
}

function commandRows(commands: readonly HelpEntry[], root: string): readonly Mrkdwn[] {
  return commands.map(
    ({ name, summary }) =>
      md`${inlineCode(`${root} ${name}`)} ${typedText(shortSummary(summary), MAX_SUMMARY)}`,
  );
}

/** The first sentence, where the whole summary would be cut. */
function shortSummary(summary: string): string {
  if (summary.length <= MAX_SUMMARY) return summary;
  const end = summary.indexOf('. ');
  return end === -1 ? summary : summary.slice(0, end + 1);
}

function commandHelp(topic: HelpEntry, view: HelpView): RenderedMessage {
  const { root, refusal, attempt, filters: explained, options = [], sections, withheld } = view;
  const examples = topic.examples
    .slice(0, 10)
    .map((example) => inlineCode(`${root} ${example}`, DISPLAY_LIMIT.sentence));
  const [heading, keys] =
    explained === undefined
      ? [md`*Values*`, keysOf(topic.usage)]
      : [md`*Filters*`, explained.map(explainedRow)];
  const what = md`${inlineCode(`${root} ${topic.name}`)}: ${typedText(topic.summary)}`;
  return buildMessage({
    text: what,
    body: [
      section(what),
      ...(refusal === null ? [] : [section(refusalNote(refusal, root))]),
      ...(examples.length === 0 ? [] : [section(md`*Examples*\n${joinMrkdwn(examples, '\n')}`)]),
      section(md`*Usage*\n${inlineCode(`${root} ${topic.usage}`, DISPLAY_LIMIT.sentence)}`),
      ...explainedBlocks(heading, keys),
      ...explainedBlocks(md`*Options*`, options.map(explainedRow)),
      ...rowBlocks(
        sections.flatMap((one) => helpRows(one, root)),
        { budget: BUDGET, more: moreHelpText },
      ),
    ],
    footer: [...withheldNote(withheld), ...actions(attempt === null ? null : tryButton(attempt))],
  });
}

function explainedBlocks(title: Mrkdwn, rows: readonly Mrkdwn[]): readonly Block[] {
  return rows.length === 0 ? [] : rowBlocks([title, ...rows], { budget: FILTERS_BUDGET, more: moreHelpText });
}

function explainedRow({ text, description }: HelpFilter): Mrkdwn {
  return md`${inlineCode(text)} ${typedText(description)}`;
}

function tryButton(attempt: NonNullable<HelpView['attempt']>): Button | null {
  const value = writeButtonValue(attempt);
  const label = attempt.do === 'run' ? 'Run' : 'Open form';
  return value === null ? null : button({ action: 'try', label, value });
}

/** The keys of a usage line, with their possible values: filters, and what a change sets. */
function keysOf(usage: string): readonly Mrkdwn[] {
  const found = [...usage.matchAll(/(?<=^|[\s[|])([a-z]+):([^\s\]]+)/g)];
  return found.map(([, key = '', value = '']) => {
    const values = value.split('|');
    return joinMrkdwn(
      values.slice(0, MAX_VALUES).map((one) => inlineCode(`${key}:${one}`)),
      ', ',
    );
  });
}

function refusalNote(refusal: Parameters<typeof problemText>[0], root: string): Mrkdwn {
  const { what, next } = problemText(refusal, root);
  return md`${what} ${next}`;
}

/** Somebody said hello, or thanks. `refusal`: why they may not look at the fleet; `changes`: they may request them. */
type GreetingView = {
  readonly kind: 'greeting';
  readonly refusal: Problem | null;
  readonly changes: boolean;
  readonly root: string;
};

type WelcomeView = {
  readonly kind: 'welcome';
  readonly channel: ChannelId;
  readonly purpose: 'approvals' | 'patchAlerts' | 'newDevices' | 'none';
  readonly root: string;
};

export function renderGreeting({ refusal, changes, root }: GreetingView): RenderedMessage {
  if (refusal !== null) {
    const { what: why, next } = problemText(refusal, root);
    const text = md`Hi! ${why} ${next}`;
    return buildMessage({ text, body: [section(text)] });
  }
  const more = changes ? md`, or request scans, patches and reboots` : md``;
  const what = md`Hi! Ask me about devices, packages, policies and alerts${more}.`;
  const examples = md`${typedCommand(root, 'devices is:needs-reboot')}\n${typedCommand(root, 'missing openssl')}\n${typedCommand(root, 'help')}`;
  return buildMessage({ text: what, body: [section(what), section(examples)] });
}

const CHANNEL_PURPOSES = {
  approvals: md`Requests that need approval are posted here. Approvers use Approve or Deny on the card.`,
  patchAlerts: md`Failed patches are posted here, once each. Buttons show the device or request the patch again.`,
  newDevices: md`New devices are posted here, once each. Buttons show the device.`,
  none: md`Commands work here, and only you see the answers. Nothing is posted here automatically.`,
} as const;

/** Posted once, when the bot is added to a channel: what is posted there, and how to ask. */
export function renderWelcome({ purpose, root }: WelcomeView): RenderedMessage {
  const words = md`${CHANNEL_PURPOSES[purpose]}\nType ${inlineCode(`${root} help`)} to see what you can do.`;
  return buildMessage({ text: words, body: [section(words)] });
}

/** Those of a role that are named: more would not help to choose whom to ask. */
const MAX_PEOPLE = 20;

type RolesView = { readonly kind: 'roles'; readonly roles: Readonly<Record<Role, People>> };

/** A private answer, in which mentions notify nobody. */
export function renderRoles({ roles }: RolesView): RenderedMessage {
  const rows = ROLES.toReversed().map((role) => {
    const all = [...roles[role].people.map(mentionPerson), ...roles[role].userGroups.map(mentionUserGroup)];
    const named = withRest(joinMrkdwn(all.slice(0, MAX_PEOPLE), ', '), all.length - MAX_PEOPLE);
    return md`*${escapeMrkdwn(upperFirst(role))}*: ${all.length === 0 ? md`nobody` : named}`;
  });
  const what = md`Approvers and admins approve requests. Each role has the rights of those below it.`;
  const text = md`Roles are set under ${inlineCode('roles')} in the configuration file, not in Slack. A change of the file takes effect within ten seconds.`;
  return buildMessage({ text, body: [section(joinMrkdwn(rows, '\n')), section(md`${what} ${text}`)] });
}

export type HelpEntry = {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
};

/** A filter with a value as it is typed, and what it finds. */
export type HelpFilter = { readonly text: string; readonly description: string };

export type HelpTask = { readonly title: string; readonly line: string };

export type HelpSection = { readonly title: string; readonly commands: readonly HelpEntry[] };
