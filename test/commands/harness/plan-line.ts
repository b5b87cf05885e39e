/** Plans a change as it is typed. */
import type { ReadPorts } from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { tokenizeTyped } from '../../../src/commands/parser/tokenizer.ts';

export async function planLine(line: string, ports: ReadPorts) {
  const read = tokenizeTyped(line);
  if (read.kind === 'fault') throw new Error(read.fault.kind);
  const [name = '', ...free] = read.words.free;
  const command = registry.find(name);
  if (command?.kind !== 'write') throw new Error(name);
  const parsed = command.parse({ ...read.words, free });
  if (parsed.kind === 'fault') throw new Error(JSON.stringify(parsed.fault));
  return command.plan(parsed.input, ports);
}

/** Its proposal, with the ids of the devices in the order of their waves. */
export async function proposalOf(line: string, ports: ReadPorts) {
  const planned = await planLine(line, ports);
  if (planned.kind !== 'proposal') throw new Error(JSON.stringify(planned));
  const { proposal, leftOut = [] } = planned;
  return { ...proposal, leftOut, ids: proposal.targets.map(({ deviceId: id }) => Number(id)) };
}
