/** `preview`: which devices the service's own device filters match (§4.2), before a policy is given them. */
import { z } from 'zod';
import type { Problem, View } from '../views/model.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, type TypedInput } from './core/define-command.ts';
import { previewForm } from './forms/preview-form.ts';
import { repeatLine } from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { problemView, unexpectedWord } from './parser/usage-errors.ts';
import {
  PREVIEW_LINE,
  previewDevices,
  previewProblem,
  previewQueryText,
  unknownValuesIn,
} from './queries/preview-devices.ts';
import { type PreviewFilter, previewFilter, readPreviewFilter } from './queries/preview-filters.ts';
import { filterText } from './targets/device-filters.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';

const input = z.object({ filters: z.array(previewFilter).min(1) });
type Input = z.infer<typeof input>;

export const previewCommand = defineReadCommand<Input>({
  ...PREVIEW_LINE,
  summary: 'Count and list the devices that policy filters would match.',
  examples: ['preview os:Windows tag:kiosk', 'preview host:web -ip:10.0. group:"Linux servers"'],
  input,
  form: previewForm,
  parse,
  run: showPreview,
  findUnknownName,
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [word] = words.free;
  if (word !== undefined) {
    const fault = {
      kind: 'bad-value',
      word,
      expected: `a filter, such as ${filterText('host', word)}`,
    } as const;
    return { kind: 'fault', fault };
  }
  const filters: PreviewFilter[] = [];
  for (const part of words.filters) {
    const read = readPreviewFilter(part);
    if (read.kind === 'fault') return read;
    filters.push(read.filter);
  }
  if (filters.length === 0)
    return { kind: 'fault', fault: { kind: 'missing', what: 'Enter at least one filter.' } };
  return { kind: 'input', input: { filters } };
}

async function showPreview({ filters }: Input, at: number, ports: ReadPorts): Promise<View> {
  const found = await previewDevices(filters, ports, at);
  if (found.kind === 'problem') return problemView(found.problem);
  const { page, pages, asOf, ...shown } = found;
  const [question, input] = [previewQueryText(filters), { filters }];
  const total = found.total ?? found.rows.length;
  const paging = { command: 'preview', input, ...repeatLine('preview', question), page, pages, total, asOf };
  return { ...shown, kind: 'preview', question, input, paging };
}

async function findUnknownName({ filters }: Input, { inventory }: ReadPorts): Promise<Problem | null> {
  const snapshot = await inventory.snapshot(PERSON_PRIORITY);
  const unknown = unknownValuesIn(filters, snapshot);
  return unknown && previewProblem(unknown, filters, snapshot);
}
