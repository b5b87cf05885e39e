/** `preview`: which devices the service's own device filters match (§4.2), before a policy is given them. */
import { z } from 'zod';
import type { Problem, View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import { previewForm } from './forms/preview-form.ts';
import { extraWord, problemView } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { askPreview } from './preview-ask.ts';
import { type PreviewFilter, previewFilter, readPreviewFilter } from './preview-filters.ts';
import { PREVIEW, previewProblem, previewQuestion, unknownIn } from './preview-unknown.ts';
import { filterText } from './targets/device-filters.ts';
import { PERSON } from './targets/resolve.ts';

const input = z.object({ filters: z.array(previewFilter).min(1) });
type Input = z.infer<typeof input>;

export const preview = defineRead<Input>({
  ...PREVIEW,
  summary: 'Count the devices that policy filters would match, and show some of them.',
  examples: ['preview os:Windows tag:kiosk', 'preview host:web -ip:10.0. group:"Linux servers"'],
  input,
  form: previewForm,
  parse,
  run: (asked, _page, ports) => show(asked, ports),
  slip,
});

function parse(words: Words): Typed<Input> {
  const extra = extraWord(words, { filters: true });
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

async function show({ filters }: Input, ports: ReadPorts): Promise<View> {
  const found = await askPreview(filters, ports);
  if (found.kind === 'problem') return problemView(found.problem);
  return { ...found, kind: 'preview', question: previewQuestion(filters), input: { filters } };
}

async function slip({ filters }: Input, { inventory }: ReadPorts): Promise<Problem | null> {
  const snapshot = await inventory.snapshot(PERSON);
  const unknown = unknownIn(filters, snapshot);
  return unknown && previewProblem(unknown, filters, snapshot);
}
