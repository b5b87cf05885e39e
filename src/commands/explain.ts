/** `explain`: shows what a command would do, to which devices and who has to approve it, without doing it. */

import { z } from 'zod';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import { estimateRollout } from '../rollout/plan.ts';
import type { ExplainedDevicesView, ExplainedRow } from '../views/answers/explain-answer.ts';
import type { FieldValues } from '../views/models/form-model.ts';
import type { CommandChoice, Paging } from '../views/models/list-model.ts';
import type { View } from '../views/views.ts';
import {
  type FormValues,
  helpEntry,
  type Planned,
  type ReadCommand,
  type ReadPorts,
  type Registry,
  type TypedInput,
} from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { fieldError, textField, textValue, usageFaultText } from './core/field-values.ts';
import {
  cacheResult,
  type FoundList,
  findCachedResult,
  type ListInput,
  listInput,
  viewPage,
} from './lists/paging.ts';
import { defineResultList, inRows, rowWeight } from './lists/result-cache.ts';
import { type LineWords, MAX_LINE_LENGTH, plainLine, tokenizeLine } from './parser/tokenizer.ts';
import { problemView, usageFault, usageProblem } from './parser/usage-errors.ts';
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

export function createExplainCommand(registry: Registry): ReadCommand {
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
    form: {
      open: async (typed) => {
        const field = textField(LINE, 'Command', prefillSchema.parse(typed).line, MAX_LINE_LENGTH, {
          hint: 'For example reboot web-01.',
        });
        const form = { command: 'explain', title: 'Explain a command', submit: 'Explain' };
        return { kind: 'form', form: { ...form, fields: [field], context: null } };
      },
      read: (values) => readForm(values, registry),
    },
    input,
    parse: (words) => parse(words, registry),
    run: (input, page, ports) => explainLine(input, page, registry, ports),
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
  if (command.kind !== 'write') {
    const need = command.kind === 'read' && command.open ? null : command.permission;
    return { kind: 'explain', command: helpEntry(command), what: command.kind, need, root: ROOT_COMMAND };
  }
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

/** `list`: all of its devices. */
async function explainPlan(
  { proposal, leftOut = [] }: Extract<Planned, { kind: 'proposal' }>,
  list: Paging,
  { judge, asker, records, refusal, inventory, rollouts, summarize, clock }: ReadPorts,
): Promise<View> {
  const { command: order, targets, reason, plan } = proposal;
  const fleet = plan === undefined ? 0 : (await inventory.snapshot(PERSON_PRIORITY)).devices.length;
  const { reasonFrom } = rollouts();
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
    ...(reason === null && targets.length >= reasonFrom ? { reasonFrom } : {}),
    judgement: await judge({ proposal, requester: asker }),
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
    case 'problem': {
      const { problem } = view;
      if (!('offers' in problem) || problem.offers === undefined) return view;
      const offers = problem.offers.map((offer) => ({ ...offer, choice: explained(offer.choice) }));
      return { kind: 'problem', problem: { ...problem, offers } };
    }
    default:
      return view;
  }
}

const LINE = 'line';

const prefillSchema = z.object({ line: z.string().max(MAX_LINE_LENGTH) }).catch({ line: '' });

function readForm(values: FieldValues, { find, nearest }: Registry): FormValues {
  const line = plainLine(textValue(values, LINE));
  const read = tokenizeLine(line);
  if (read.kind === 'fault') return fieldError(LINE, usageFaultText(read.fault));
  const { free, filters, flags, reason } = read.words;
  const [name, ...rest] = free;
  if (name === undefined) return fieldError(LINE, 'Enter a command, such as reboot web-01.');
  const command = find(name);
  if (command === null)
    return fieldError(LINE, usageFaultText({ kind: 'unknown-word', word: name, nearest: nearest(name) }));
  const words = { free: rest, filters, flags, reason };
  // Reads and settings are explained whatever words follow.
  const parsed = command.kind === 'write' ? command.parse(words) : null;
  if (parsed?.kind === 'fault') return fieldError(LINE, usageFaultText(parsed.fault));
  return { kind: 'input', input: { command: name, typed: words, input: null } };
}

const explainedPages = defineResultList<ExplainedDevicesView>(20, ({ rows }) =>
  rowWeight(rows, (row) =>
    row.kind === 'target' && row.facts.deviceId !== null ? inRows(row.facts.packages) : 0,
  ),
);

/** Keeps the devices of what was planned. `input`: the command's, which plans it again once they are not kept any more. */
function keepExplained(
  { proposal: { command, targets }, leftOut = [] }: Extract<Planned, { kind: 'proposal' }>,
  { result, ...input }: ListInput & object,
  ports: ReadPorts,
): FoundList<ExplainedDevicesView> {
  const rows: readonly ExplainedRow[] = [
    ...targets.map((facts) => ({ kind: 'target', facts }) as const),
    ...leftOut.map((target) => ({ kind: 'left-out', target }) as const),
  ];
  const place = { page: 0, pages: 1, total: rows.length, asOf: ports.clock.now() };
  const paging = { command: 'explain', input: { ...input, list: true }, ...place };
  const content = { kind: 'explain-devices', command, devices: targets.length, rows, paging } as const;
  return cacheResult(explainedPages, content, result === undefined ? {} : { result }, ports);
}
