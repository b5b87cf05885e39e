import type { SandboxPeople } from './sandbox-people.ts';

/** The ids of the first 200 devices that are online, as the service lists them. */
export async function onlineDevices(people: Pick<SandboxPeople, 'state'>): Promise<readonly number[]> {
  const { management, organization } = await people.state();
  const response = await fetch(`${management.baseUrl}/servers?o=${organization.id}&limit=200`, {
    headers: { authorization: `Bearer ${management.apiKey}` },
  });
  const rows = (await response.json()) as readonly { readonly id: number; readonly connected: boolean }[];
  return rows.filter(({ connected }) => connected).map(({ id }) => id);
}
