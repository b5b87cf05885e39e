/** Notes which hosts this process contacts: no client may leave the machine. */
import diagnostics from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { asJsonObject } from '../../../../src/sandbox/slack/core/json-object.ts';

/** Every host that this process contacts from now on. */
export function watchHosts(): { readonly hosts: ReadonlySet<string>; readonly stop: () => void } {
  const hosts = new Set<string>();
  const watch = (message: unknown) => {
    const { socket } = asJsonObject(message);
    if (!(socket instanceof Socket)) return;
    socket.on('lookup', (_error, _address, _family, host) => hosts.add(host));
    socket.on('connectionAttempt', (address) => hosts.add(address));
  };
  diagnostics.subscribe('net.client.socket', watch);
  return { hosts, stop: () => diagnostics.unsubscribe('net.client.socket', watch) };
}
