/** `explain`: shows what a command would do, to which devices and who has to approve it, without doing it. */
import { z } from 'zod';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import { estimateRollout } from '../rollout/estimate.ts';
import type { Paging, Problem, View } from '../views/model.ts';
import type { CommandChoice } from '../views/models/report-model.ts';
import type { Command, Planned, ReadCommand, ReadPorts, WriteCommand } from './core/command.ts';
import { defineReadCommand, type TypedInput } from './core/define-command.ts';
import type { Registry } from './core/registry.ts';
import { explainForm } from './forms/explain-form.ts';
import { findCachedResult, listInput, viewPage } from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { problemView, usageFault, usageProblem } from './parser/usage-errors.ts';
import { explainedPages, keepExplained } from './queries/explained-devices.ts';
import { helpEntry } from './queries/help-topics.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';

const filter = z.object({
  key: z.string(),
  value: z.string(),
  negated: z.boolean(),
  text: z.string(),
  or: z.literal(true).exactOptional(),
  saved: z.literal(true).exactOptional(),
});
const typed = z.object({
  free: z.array(z.string()),
  filters: z.array(filter),
  flags: z.array(z.string()),
  reason: z.string().nullable(),
  reasonQuoted: z.literal(true).exactOptional(),
});
/** The words typed after the command's name, or the input of a button. `list`: its devices, page by page. */
const input = listInput.extend({
  command: z.string(),
  typed: typed.nullable(),
  input: z.unknown(),
  list: z.literal(true).exactOptional(),
});
type Input = z.infer<typeof input>;

/** The registry contains this command too, so it is read only when a command is explained. */
export function createExplainCommand(registry: () => Registry): ReadCommand {
  return defineReadCommand<Input>({
    name: 'explain',
    usage: 'explain COMMAND …',
    summary:
      'Show what a command would do, to which devices, in which waves, and who has to approve it. Nothing is sent.',
    examples: [
      'explain reboot web-01',
      'explain patch web-01 severity:critical',
      'explain reboot group:"Linux servers" waves:1,25%',
    ],
    targets: 'filters',
    form: explainForm(registry),
    input,
    parse: (words) => parse(words, registry()),
    run: (input, page, ports) => explainLine(input, page, registry(), ports),
  });
}

/** If a change lacks a part, its form opens with the typed line. */
function parse({ line = '', ...given }: LineWords, { find, nearest }: Registry): TypedInput<Input> {
  const { free, filters, flags, reason, reasonQuoted } = given;
  const [command, ...rest] = free;
  if (command === undefined) return { kind: 'fault', fault: { kind: 'missing', what: 'Which command?' } };
  const words = {
    free: rest,
    filters: [...filters],
    flags: [...flags],
    reason,
    ...(reasonQuoted ? { reasonQuoted } : {}),
  };
  const known = find(command);
  if (known === null)
    return usageFault({ kind: 'unknown-word', word: command, nearest: nearest(command), of: 'command' });
  const parsed = known.kind === 'write' ? known.parse(words) : null;
  if (parsed?.kind === 'fault') {
    const { fault } = parsed;
    if (fault.kind === 'missing')
      return usageFault({ ...fault, prefill: { line: line.replace(/^[^ ]+ */, '') } });
    // The line can be corrected.
    if (fault.kind === 'option-in-reason' || ('nearest' in fault && fault.nearest.length > 0)) return parsed;
  }
  return { kind: 'input', input: { command, typed: words, input: null } };
}

async function explainLine(asked: Input, page: number, { find }: Registry, ports: ReadPorts): Promise<View> {
  const kept = asked.list === true ? findCachedResult(explainedPages, asked, ports) : null;
  if (kept !== null) return viewPage(kept, page);
  const command = find(asked.command);
  if (command === null)
    return problemView({ kind: 'unknown-command', word: asked.command, nearest: [], root: ROOT_COMMAND });
  if (command.kind !== 'write') return explainRead(command);
  const parsed =
    asked.typed === null ? ({ kind: 'input', input: asked.input } as const) : command.parse(asked.typed);
  if (parsed.kind === 'fault') return problemView(usageProblem(command, parsed.fault));
  const plan = await command.plan(parsed.input, { ...ports, onlyExplains: true });
  switch (plan.kind) {
    case 'proposal': {
      const { list, ...input } = asked;
      const devices = keepExplained(plan, input, ports);
      return list === true ? viewPage(devices, page) : explainPlan(plan, viewPage(devices, 0).paging, ports);
    }
    case 'problem':
      return explainViewFor(problemView(plan.problem), command.name);
    case 'view':
      return explainViewFor(plan.view, command.name);
  }
}

function explainRead(command: Exclude<Command, WriteCommand>): View {
  const need = command.kind === 'read' && command.open ? null : command.permission;
  return { kind: 'explain', command: helpEntry(command), what: command.kind, need, root: ROOT_COMMAND };
}

/** `list`: all of its devices. */
async function explainPlan(
  { proposal, leftOut = [] }: Extract<Planned, { kind: 'proposal' }>,
  list: Paging,
  { approvalMs, records, refusal, inventory, rollouts, summarize, clock }: ReadPorts,
): Promise<View> {
  const { command: order, targets, reason, plan } = proposal;
  const fleet = plan === undefined ? 0 : (await inventory.snapshot(PERSON_PRIORITY)).devices.length;
  const need = 'propose';
  const refused = await refusal?.(need);
  return {
    kind: 'explain-plan',
    command: order,
    targets,
    reason,
    need,
    ...(refused === undefined || refused?.kind === 'rights-unknown' ? {} : { mayRequest: refused === null }),
    ...(plan === undefined
      ? {}
      : {
          rollout: {
            plan,
            cost: estimateRollout({ kind: order.kind, plan, fleet }),
            summary: summarize(targets, clock.now(), proposal),
            list,
          },
        }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(reason === null && targets.length >= rollouts.reasonFrom ? { reasonFrom: rollouts.reasonFrom } : {}),
    approvalMs: approvalMs(order),
    pause: await records.pause(),
  };
}

/** Choices and suggestions are explained as well, because their usual buttons would request the change. */
function explainViewFor(view: View, name: string): View {
  const explained = ({ input: explainedInput }: CommandChoice): CommandChoice => ({
    command: 'explain',
    input: { command: name, typed: null, input: explainedInput },
  });
  switch (view.kind) {
    case 'picker':
      return { ...view, choices: view.choices.map(explained) };
    case 'choices':
      return { ...view, rows: view.rows.map((row) => ({ ...row, choice: explained(row.choice) })) };
    case 'problem':
      return { kind: 'problem', problem: withExplainOffers(view.problem, explained) };
    default:
      return view;
  }
}

function withExplainOffers(problem: Problem, explained: (choice: CommandChoice) => CommandChoice): Problem {
  if (!('offers' in problem) || problem.offers === undefined) return problem;
  return {
    ...problem,
    offers: problem.offers.map((offer) => ({ ...offer, choice: explained(offer.choice) })),
  };
}
