/** The writes that the service received, and the claims in the database that they belong to. */
import {
  type Evidence,
  type Fields,
  parseJsonField,
  type RecordedRequest,
  type TableRow,
} from './evidence.ts';

export type Write = {
  readonly request: RecordedRequest;
  /** The action and its subject, such as `4001 Reboot`; equal for a write and its claim. */
  readonly signature: string;
  readonly needsApproval: boolean;
};
export type RecordedClaim = {
  readonly target: TableRow;
  readonly request: TableRow;
  readonly signature: string;
};

/** Refused by the service, or by a fault before it: nothing was carried out, and the bot knows. */
const REFUSED: readonly (number | null)[] = [400, 403, 404];

function isRefused({ status, done }: RecordedRequest): boolean {
  if (status === 429) return true;
  return REFUSED.includes(status) && (done === undefined || done.status >= 400);
}

/** Reads that the service takes as a POST. */
const READS = /\/device-filters-preview$/;

/** Every write that was sent and not clearly refused, one per device of a batch; without those of the console. */
export function writesIn({ requests, acts }: Pick<Evidence, 'requests' | 'acts'>): readonly Write[] {
  const byConsole = acts.filter(({ kind }) => kind === 'console');
  const isOfConsole = ({ signature, request }: Write) =>
    byConsole.some(({ what, at }) => what === signature && Math.abs(request.at - at) < AT_ONCE_MS);
  return requests
    .filter(({ service, method }) => service === 'management' && !['GET', 'HEAD'].includes(method))
    .filter(({ path }) => !READS.test(path))
    .filter((request) => !isRefused(request))
    .flatMap(writesOf)
    .filter((write) => !isOfConsole(write));
}

/** A call of the console, by a clock that may move meanwhile. */
const AT_ONCE_MS = 60_000;

function writesOf(request: RecordedRequest): readonly Write[] {
  const { method, path } = request;
  const body = parseJsonField(request.sent?.['body']);
  const [, things = '', id = '', more = ''] = path.split('/');
  const one = (signature: string, needsApproval: boolean) => [{ request, signature, needsApproval }];
  if (things === 'servers' && more === 'queues') {
    const type = String(body['command_type_name']);
    const looksOnly = type === 'GetOS' || /^policy_\d+_test$/.test(type);
    return one(`${id} ${type} ${String(body['args'] ?? '')}`.trim(), !looksOnly);
  }
  if (things === 'servers' && id === 'batch') {
    const devices = Array.isArray(body['devices']) ? body['devices'] : [];
    return devices.map((device) => ({ request, signature: `${device} edit`, needsApproval: true }));
  }
  if (method === 'DELETE')
    return one(things === 'servers' ? `${id} device-remove` : `group ${id} remove`, true);
  // A change of the name alone needs no approval, but the body, which is the whole record, does not show that.
  if (things === 'servers' && method === 'PUT') return one(`${id} edit`, false);
  if (things === 'policies' && more === 'action')
    return one(`${String(body['serverId'])} policy_${id}_remediate`, true);
  if (things === 'policies')
    return one(method === 'POST' ? `create policy ${String(body['name'])}` : `policy ${id} edit`, true);
  if (things === 'servergroups')
    return one(method === 'POST' ? `create ${String(body['name'])}` : `group ${id} edit`, true);
  return one(`${method} ${path}`, true);
}

/** The writes that were claimed for sending, according to the database. */
export function claimsIn({ tables }: Pick<Evidence, 'tables'>): readonly RecordedClaim[] {
  return tables.request_targets.flatMap((target) => {
    const request = tables.requests.find(({ id }) => id === target['request_id']);
    if (request === undefined) return [];
    return [{ target, request, signature: signatureOf(target, parseJsonField(request['action'])) }];
  });
}

function signatureOf(target: TableRow, action: Fields): string {
  const device = String(target['device_id']);
  const policy = String(action['policyId']);
  switch (action['kind']) {
    case 'scan':
      return `${device} GetOS`;
    case 'reboot':
      return `${device} Reboot`;
    case 'patch-all':
      return `${device} InstallAllUpdates`;
    case 'patch':
      return `${device} InstallUpdate ${Array.isArray(action['packages']) ? action['packages'].join(' ') : ''}`;
    case 'patch-each': {
      const { packages } = parseJsonField(target['facts']);
      const names = [packages].flat().map((one) => String(parseJsonField(one)['name']));
      return `${device} InstallUpdate ${[...new Set(names)].toSorted().join(' ')}`;
    }
    case 'policy-test':
      return `${device} policy_${policy}_test`;
    case 'policy-remediate':
      return `${device} policy_${policy}_remediate`;
    case 'device-edit':
      return `${device} edit`;
    case 'group-create':
      return `create ${String(parseJsonField(action['group'])['name'])}`;
    case 'group-edit':
      return `group ${String(action['groupId'])} edit`;
    case 'policy-create':
      return `create policy ${String(parseJsonField(action['policy'])['name'])}`;
    case 'policy-edit':
      return `policy ${String(action['policyId'])} edit`;
    case 'group-remove':
      return `group ${String(action['groupId'])} remove`;
    default:
      return `${device} ${String(action['kind'])}`;
  }
}
