/** `explain`: what a command would do, to which devices and needing whose approval, without doing it. */
import { z } from 'zod';
import type { HelpEntry, Problem, View } from '../views/model.ts';
import type { Choice } from '../views/models/report-model.ts';
import type { Command, Planned, ReadCommand, ReadPorts, WriteCommand } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import { explainForm } from './forms/explain-form.ts';
import { problemView, usageProblem } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import type { Registry } from './registry.ts';
import { ROOT } from './root.ts';

const filter = z.object({
  key: z.string(),
  value: z.string(),
  negated: z.boolean(),
  text: z.string(),
  or: z.literal(true).optional(),
});
const typed = z.object({
  free: z.array(z.string()),
  filters: z.array(filter),
  flags: z.array(z.string()),
  reason: z.string().nullable(),
});
/** Words that were typed after the command's name, or the input that a button carries. */
const input = z.object({ command: z.string(), typed: typed.nullable(), input: z.unknown() });
type Input = z.infer<typeof input>;

/** The registry holds this command too, so it is asked for only when a command is explained. */
export function createExplain(registry: () => Registry): ReadCommand {
  return defineRead<Input>({
    name: 'explain',
    usage: 'explain COMMAND …',
    summary: 'Show what a command would do, to which devices, and who has to approve it. Nothing is sent.',
    examples: ['explain reboot web-01', 'explain patch web-01 severity:critical'],
    targets: true,
    form: explainForm(registry),
    input,
    parse: (words) => parse(words, registry()),
    run: (asked, _page, ports) => explain(asked, registry(), ports),
  });
}

/** What a change lacks is asked for with the line as it was typed. */
function parse({ line = '', ...given }: Words, { find }: Registry): Typed<Input> {
  const { free, filters, flags, reason } = given;
  const [command, ...rest] = free;
  if (command === undefined) return { kind: 'fault', fault: { kind: 'missing', what: 'Which command?' } };
  const words = { free: rest, filters: [...filters], flags: [...flags], reason };
  const known = find(command);
  const parsed = known?.kind === 'write' ? known.parse(words) : null;
  if (parsed?.kind === 'fault' && parsed.fault.kind === 'missing') {
    const { what } = parsed.fault;
    return { kind: 'fault', fault: { kind: 'missing', what, given: { line: afterName(line) } } };
  }
  return { kind: 'input', input: { command, typed: words, input: null } };
}

function afterName(line: string): string {
  return line.replace(/^[^ ]+ */, '');
}

async function explain(asked: Input, { find, nearest }: Registry, ports: ReadPorts): Promise<View> {
  const command = find(asked.command);
  if (command === null) {
    const word = asked.command;
    return problemView({ kind: 'unknown-command', word, nearest: nearest(word), root: ROOT });
  }
  if (command.kind !== 'write') return plainly(command);
  if (asked.typed === null) return planned(command, await command.plan(asked.input, ports), ports);
  const parsed = command.parse(wordsOf(asked.typed));
  if (parsed.kind === 'fault') return problemView(usageProblem(command, parsed.fault));
  return planned(command, await command.plan(parsed.input, ports), ports);
}

/** zod writes what is absent as undefined. */
function wordsOf({ filters, ...words }: z.infer<typeof typed>): Words {
  return { ...words, filters: filters.map(({ or, ...part }) => (or === true ? { ...part, or } : part)) };
}

function plainly(command: Exclude<Command, WriteCommand>): View {
  const need = command.kind === 'read' && command.open ? null : command.need;
  return { kind: 'explain', command: entry(command), what: command.kind, need, root: ROOT };
}

async function planned(
  command: WriteCommand,
  plan: Planned,
  { approvalMs, records }: ReadPorts,
): Promise<View> {
  switch (plan.kind) {
    case 'proposal': {
      const { command: order, targets, reason } = plan.proposal;
      const need = 'propose';
      return {
        kind: 'explain-plan',
        command: order,
        targets,
        reason,
        need,
        approvalMs: approvalMs(order),
        pause: await records.pause(),
      };
    }
    case 'problem':
      return explaining(problemView(plan.problem), command.name);
    case 'view':
      return explaining(plan.view, command.name);
  }
}

/** What is to be chosen from, or may have been meant, is explained too: a plan's buttons would ask for the change. */
function explaining(view: View, name: string): View {
  const explained = ({ input: given }: Choice): Choice => ({
    command: 'explain',
    input: { command: name, typed: null, input: given },
  });
  switch (view.kind) {
    case 'picker':
      return { ...view, choices: view.choices.map(explained) };
    case 'choices':
      return { ...view, rows: view.rows.map((row) => ({ ...row, choice: explained(row.choice) })) };
    case 'problem':
      return { kind: 'problem', problem: offering(view.problem, explained) };
    default:
      return view;
  }
}

function offering(problem: Problem, explained: (choice: Choice) => Choice): Problem {
  switch (problem.kind) {
    case 'no-such-device':
    case 'several-devices':
    case 'no-such-group':
    case 'no-such-policy':
    case 'policy-not-for': {
      const { offers } = problem;
      if (offers === undefined) return problem;
      return { ...problem, offers: offers.map((offer) => ({ ...offer, choice: explained(offer.choice) })) };
    }
    default:
      return problem;
  }
}

function entry({ name, usage, summary, examples }: HelpEntry): HelpEntry {
  return { name, usage, summary, examples };
}
