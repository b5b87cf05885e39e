/** Commands to devices, and how long their effect takes. */
import { expect } from 'vitest';
import { MINUTE, SECOND } from '../../../../src/lib/clock.ts';
import type { JsonRow, TestService } from './service.ts';

/** Within this time a connected device has done its command and shows it. */
export const PROOF_MS = 10 * MINUTE;
export const at = (value: unknown): number => Date.parse(String(value));

export async function sendDeviceCommand(
  service: TestService,
  id: number,
  type: string,
  args?: string,
): Promise<void> {
  const answer = await service.post(`/servers/${id}/queues`, { command_type_name: type, args });
  expect(answer.status).toBe(201);
}

/** Moves the clock second by second until `test` holds; returns the number of seconds. */
export async function secondsUntil(service: TestService, test: () => Promise<boolean>): Promise<number> {
  for (let seconds = 0; seconds <= PROOF_MS / SECOND; seconds++) {
    if (await test()) return seconds;
    await service.clock.advance(SECOND);
  }
  throw new Error('It did not come true within ten minutes.');
}

export const queueOf = (service: TestService, id: number): Promise<readonly JsonRow[]> =>
  service.rows(`/servers/${id}/queues`);
export const answeredEntries = async (service: TestService, id: number): Promise<boolean> =>
  (await queueOf(service, id)).every((entry) => entry['response'] !== null);
export const isConnected = async (service: TestService, name: string): Promise<boolean> =>
  (await service.device(name))['connected'] === true;
