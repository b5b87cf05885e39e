/** Checks of the management service: address, key, organization, events. Only reads are tried. */
import type { Config } from '../config/config.ts';
import { createFleetClient } from '../fleet/client.ts';
import { type FleetError, FleetFailure, type FleetReader } from '../fleet/fleet.ts';
import type { OrganizationId } from '../lib/ids.ts';
import { heldText } from '../views/text/service-error-text.ts';
import { type Finding, failFinding, okFinding, skipFinding, warnFinding } from './finding.ts';

/** The check that the others about the service depend on. */
export const SERVICE_CHECK = 'service and key';
const EVENTS_CHECK = 'event log';
const ORGANIZATION_CHECK = 'organization';

/** All findings about the service. If it refuses or does not answer, only the organization is read, which may explain why. */
export async function checkFleet({ fleet }: Config): Promise<readonly Finding[]> {
  const client = createFleetClient(fleet);
  try {
    const devices = await findingOrFailure(SERVICE_CHECK, fleet.baseUrl, async () => {
      for await (const { rows, total } of client.reader.devices()) {
        return okFinding(
          SERVICE_CHECK,
          `organization ${fleet.organizationId} has ${total ?? rows.length} devices`,
        );
      }
      return warnFinding(
        SERVICE_CHECK,
        'no devices visible',
        'check FLEET_ORGANIZATION and the permissions of the key',
      );
    });
    const organization = await checkOrganization(client.reader, fleet.organizationId);
    if (devices.status === 'fail') {
      const skipped = organization.length === 0 ? `${ORGANIZATION_CHECK}, ${EVENTS_CHECK}` : EVENTS_CHECK;
      return [devices, ...organization, skipFinding(skipped, SERVICE_CHECK)];
    }
    return [devices, ...organization, await checkEvents(client.reader, fleet.baseUrl)];
  } finally {
    await client.close();
  }
}

function checkEvents(reader: FleetReader, baseUrl: string): Promise<Finding> {
  return findingOrFailure(EVENTS_CHECK, baseUrl, async () => {
    for await (const { rows } of reader.events({ pageSize: 1 })) {
      return okFinding(EVENTS_CHECK, rows.length === 0 ? 'empty' : 'readable');
    }
    return okFinding(EVENTS_CHECK, 'empty');
  });
}

/** The name of the organization. Empty where the key may not list organizations, which is no problem. */
async function checkOrganization(reader: FleetReader, id: OrganizationId): Promise<readonly Finding[]> {
  let seesOthers = false;
  try {
    for await (const { rows } of reader.organizations()) {
      const own = rows.find((organization) => organization.id === id);
      if (own !== undefined) return [okFinding(ORGANIZATION_CHECK, `${id} is ${JSON.stringify(own.name)}`)];
      seesOthers ||= rows.length > 0;
    }
  } catch (error) {
    if (error instanceof FleetFailure) return [];
    throw error;
  }
  if (!seesOthers) return [];
  const what = `the key can see other organizations, but not ${id}`;
  return [
    warnFinding(
      ORGANIZATION_CHECK,
      what,
      'check FLEET_ORGANIZATION, and which organization the key belongs to',
    ),
  ];
}

async function findingOrFailure(
  name: string,
  baseUrl: string,
  check: () => Promise<Finding>,
): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    const { status, detail, held } = error.error;
    const cause = held === undefined ? detail : heldText(held);
    // Without an answer, the address is the first thing to check.
    const seen = status === null && held === undefined ? `${baseUrl}: ${cause}` : cause;
    return failFinding(
      name,
      [status, seen].filter((part) => part !== null).join(' '),
      fleetRemedy(error.error),
    );
  }
}

function fleetRemedy(error: FleetError): string {
  if (error.held !== undefined) return 'nothing was sent; wait a minute and try again';
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
      return 'check FLEET_BASE_URL and the network to it (firewall, proxy, DNS)';
    case 'unauthorized':
      return "set FLEET_API_KEY to a valid key that hasn't expired";
    case 'forbidden':
      return 'check that the key belongs to FLEET_ORGANIZATION and can read it';
    case 'missing':
    case 'invalid':
    case 'unreadable':
    case 'too-large':
      return "check that FLEET_BASE_URL is the base URL of the service's API, such as https://…/api";
    case 'throttled':
      return 'the service is rate limiting this key; wait a minute and try again';
    case 'broken':
      return 'the service has an internal error; try again later';
  }
}
