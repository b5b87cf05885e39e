/** `device`: one device with what matters about it, read fresh, a page for each side of it. */
import { z } from 'zod';
import { nearestNames } from '../inventory/nearest-names.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, type TypedInput } from './core/define-command.ts';
import { deviceSearch } from './forms/subject-forms.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { DEVICE_PAGES, readDevicePage } from './queries/read-device-pages.ts';
import {
  deviceOffers,
  deviceRef,
  devicesByName,
  parseDevice,
  viewForDevice,
} from './targets/resolve-device.ts';

const input = z.object({ device: deviceRef, page: z.enum(DEVICE_PAGES).optional() });
type Input = z.infer<typeof input>;

export const deviceCommand = defineReadCommand<Input>({
  name: 'device',
  usage: `device NAME|#ID [${DEVICE_PAGES.join('|')}]`,
  summary: 'Show one device, with its details and actions.',
  examples: ['device web-01', 'device #1042 volumes', 'device "front network" timeline'],
  input,
  form: deviceSearch,
  parse,
  run: showDevice,
});

/** The last of several words is a page where one is so called; quotes keep such a word in a name. */
function parse(words: LineWords): TypedInput<Input> {
  const last = words.free.at(-1)?.toLowerCase();
  const page = words.free.length > 1 ? DEVICE_PAGES.find((name) => name === last) : undefined;
  const read = parseDevice(page === undefined ? words : { ...words, free: words.free.slice(0, -1) });
  if (read.kind === 'fault') return read;
  const { device: named } = read.input;
  return { kind: 'input', input: page === undefined ? { device: named } : { device: named, page } };
}

async function showDevice(
  { device: named, page = 'facts' }: Input,
  at: number,
  ports: ReadPorts,
): Promise<View> {
  const again = (id: Input['device']) => ({ command: 'device', input: { device: id, page } });
  const view = await viewForDevice({ device: named, again }, ports, (id) =>
    readDevicePage(id, page, at, ports),
  );
  return typeof named === 'string' ? withPageButtons(view, named, ports) : view;
}

/** Somebody who slipped in the name of a page is offered the page. */
async function withPageButtons(view: View, named: string, ports: ReadPorts): Promise<View> {
  if (view.kind !== 'problem' || view.problem.kind !== 'no-such-device') return view;
  const [, name = '', word = ''] = /^(.*\S)\s+(\S+)$/.exec(named) ?? [];
  const [nearestPage] = nearestNames(word, DEVICE_PAGES, 1);
  const page = DEVICE_PAGES.find((one) => one === nearestPage);
  if (page === undefined) return view;
  const again = (device: Input['device']) => ({ command: 'device', input: { device, page } });
  const nameOffers = await deviceOffers(await devicesByName([name], ports), again, ports);
  if (nameOffers.length === 0) return view;
  const lines = nameOffers.map((offer) => ({ ...offer, page }));
  const { offers = [] } = view.problem;
  return { kind: 'problem', problem: { ...view.problem, offers: [...lines, ...offers] } };
}
