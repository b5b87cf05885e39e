/** What a request and its explanation say of the packages by which their devices were selected. */
import { expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aGroup, aPackage, START } from '../../harness/builders.ts';
import { aRollout, aRolloutRequest, aSummary } from '../../harness/rollouts.ts';
import { renderedText } from '../../views/rendered-text.ts';
import { testPorts } from '../harness/ports.ts';
import { runCommand } from '../harness/run-command.ts';

const devices = [1, 2, 3].map((id) => aDevice({ id: deviceId(id), name: `web-${id}` }));

it('explain says how the packages were read, and how old that is', async () => {
  const { ports } = testPorts({ devices, groups: [aGroup()], packages: [aPackage()] });
  const command = registry.find('explain');
  if (command?.kind !== 'read') throw new Error('no command');
  const explained = async (line: string) =>
    renderedText(renderView(await runCommand(command, 'explain-plan', line, ports)));
  expect(await explained('reboot missing:openssl')).toContain(
    `Devices selected by their missing packages, read device by device. Package data from ${relativeDate(START)} or later.`,
  );
  expect(await explained('reboot os:linux')).not.toContain('Package data');
});

it('the card of a request says it while it waits and while it runs', () => {
  const packagesRead = { looked: 40, fromList: 38, oldest: later(START, -5 * MINUTE) };
  const rollout = aRollout(40, { summary: aSummary({ packagesRead }) });
  const drawn = (over: Parameters<typeof aRolloutRequest>[0]) =>
    renderedText(renderView({ kind: 'request', request: aRolloutRequest(over) }));
  for (const state of ['waiting', 'running'] as const)
    expect(drawn({ rollout, state })).toContain(
      `Devices selected by their missing packages, read from the fleet-wide list for 38 devices, and one by one for 2. Package data from ${relativeDate(packagesRead.oldest)} or later.`,
    );
  expect(drawn({})).not.toContain('Package data');
});
