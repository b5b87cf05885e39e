/** Forms, and the Home of two people. */

import { actionOf } from '../e2e/harness/modals.ts';
import type { PersonName, SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { until } from '../harness/until.ts';
import { ALERTS, announced, approved, form, OPS, opened, type Place, reboot, type Screen } from './screen.ts';

/** Opens a form by typing an incomplete command. */
const formOf =
  (user: PersonName, line: string) =>
  (people: SandboxPeople): Promise<Place> =>
    form(people, user, line);

/** Chooses this in a live field, and waits until the form's fields have changed. */
async function follows(people: SandboxPeople, user: PersonName, field: string, value: string): Promise<void> {
  const top = (await people.views(user)).modals.at(-1);
  if (top === undefined) throw new Error('no form is open');
  const action_id = actionOf(top, field);
  const place = { user, view_id: top.id, block_id: field, action_id };
  await people.suggest({ ...place, value: 'web-01' });
  const { ok, error } = await people.click({ ...place, value });
  if (!ok) throw new Error(`${field}: ${error}`);
  const shown = JSON.stringify(top.blocks);
  await until(
    async () => {
      const now = (await people.views(user)).modals.at(-1);
      return now !== undefined && JSON.stringify(now.blocks) !== shown;
    },
    { what: `the form after ${field}`, timeoutMs: 20_000 },
  );
}

async function patchForm(people: SandboxPeople): Promise<Place> {
  const place = await form(people, 'operator', 'patch because CVE list');
  await follows(people, 'operator', 'device', '4001');
  return place;
}

async function deviceEditForm(people: SandboxPeople): Promise<Place> {
  const place = await form(people, 'operator', 'device-edit');
  await follows(people, 'operator', 'device', '4001');
  return place;
}

async function reasonForm(people: SandboxPeople): Promise<Place> {
  const answer = await people.runs('operator', 'reboot web-01');
  await people.push('operator', { ...answer, channel: OPS }, 'add_reason');
  return opened(people, 'operator');
}

async function homeViewer(): Promise<Place> {
  return { user: 'viewer', at: 'home' };
}

async function homeApprover(people: SandboxPeople): Promise<Place> {
  await approved(people, 'reboot web-02 because kernel update', 'web-02', 'verified');
  await people.world({ do: 'patch-fails', device: 'web-04', patch: 'openssl', reason: 'held packages' });
  await announced(people, ALERTS, 'held packages');
  await reboot(people, 'web-01');
  return { user: 'approver', at: 'home' };
}

async function homeOperator(people: SandboxPeople): Promise<Place> {
  await homeApprover(people);
  return { user: 'operator', at: 'home' };
}

async function homeOutsider(): Promise<Place> {
  return { user: 'outsider', at: 'home' };
}

export const FORMS: readonly Screen[] = [
  { name: 'form-patch', draw: patchForm },
  { name: 'form-reboot', draw: formOf('operator', 'reboot') },
  { name: 'form-device-edit', draw: deviceEditForm },
  { name: 'form-preview', draw: formOf('viewer', 'preview') },
  { name: 'form-reason', draw: reasonForm },
  { name: 'home-viewer', draw: homeViewer },
  { name: 'home-approver', draw: homeApprover },
];

export const MORE_FORMS: readonly Screen[] = [
  { name: 'form-subscribe', draw: formOf('operator', 'subscribe') },
  { name: 'form-silence', draw: formOf('operator', 'silence') },
  { name: 'home-operator', draw: homeOperator },
  { name: 'home-outsider', draw: homeOutsider },
];
