/** `npm run doctor`: checks everything that Patchbay needs and says what to fix. It changes nothing and may run beside Patchbay. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fetch } from 'undici';
import {
  type Config,
  type Database,
  isPlainAddress,
  type MistypedVariable,
  mistypedVariableText,
  readConfig,
  readMistypedVariables,
  secretsOf,
  settingsFaultText,
} from '../config/config.ts';
import { createFleetClient } from '../fleet/client.ts';
import { type FleetError, FleetFailure, type FleetReader } from '../fleet/fleet.ts';
import { type Instant, instant, MINUTE, SECOND, wallNow } from '../lib/clock.ts';
import type { OrganizationId } from '../lib/ids.ts';
import { createLog } from '../lib/log.ts';
import { createDispatcher, proxyFor } from '../lib/proxy.ts';
import { type DatabaseStatus, inspectDatabase } from '../store/admin/inspect-database.ts';
import { DATABASE_FILES, errorReason, missingFolder } from '../store/engines/database-files.ts';
import { heldText } from '../views/text/error-text.ts';
import {
  type Finding,
  failFinding,
  findingText,
  hasFailed,
  okFinding,
  skipFinding,
  warnFinding,
} from './finding.ts';
import { checkRuleGroups } from './rules.ts';
import { BOT_TOKEN_CHECK, checkSlack, checkSubscribedChannels } from './slack.ts';

/** Prints one line for each finding. Exit code 0: nothing failed; 1: a check failed; 2: the settings cannot be read. */
export async function doctor(): Promise<void> {
  const read = readConfig();
  const mistyped = readMistypedVariables();
  if (read.kind === 'faults') {
    process.stderr.write(settingsFaultText(read.faults, mistyped));
    process.exitCode = 2;
    return;
  }
  const { config } = read;
  const log = createLog({ level: 'silent', secrets: secretsOf(config) });
  const findings: Finding[] = [];
  const failedCheck = (name: string) => (hasFailed(findings, name) ? name : null);
  const checks = [
    async () => checkProxy(config),
    async () => mistyped.map(checkMistyped),
    async () => checkAddresses(config),
    () => checkSlack(config, log),
    () => checkFleet(config),
    () => checkDatabase(config.database),
    async () => (hasFailed(findings, BOT_TOKEN_CHECK) ? [] : checkSubscribedChannels(config, log)),
    () => checkClockSkew(config, { slack: failedCheck(BOT_TOKEN_CHECK), fleet: failedCheck(SERVICE_CHECK) }),
  ];
  for (const check of checks) {
    const found = await check();
    for (const finding of found) process.stdout.write(`${findingText(finding)}\n`);
    findings.push(...found);
  }
  const failed = findings.filter(({ status }) => status === 'fail').length;
  process.stdout.write(`\n${summaryText(findings)}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function summaryText(findings: readonly Finding[]): string {
  const count = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length;
  const [failed, warned] = [count('fail'), count('warn')];
  if (failed > 0) {
    const problems = failed === 1 ? '1 problem to fix.' : `${failed} problems to fix.`;
    return count('skip') === 0
      ? problems
      : `${problems} Once fixed, run this again for the checks that were skipped.`;
  }
  if (warned > 0) return `All checks passed with ${warned === 1 ? '1 warning' : `${warned} warnings`}.`;
  return 'All checks passed.';
}

/** `ALLOW_HTTP` lets them pass, so that somebody has to be told. */
function checkAddresses({ fleet, slack }: Config): readonly Finding[] {
  const remedy = 'use https:// and remove ALLOW_HTTP: a key is sent with every request';
  return [fleet.baseUrl, slack.apiUrl]
    .filter(isPlainAddress)
    .map((address) => warnFinding('encryption', `${address} is not encrypted`, remedy));
}

function checkMistyped(setting: MistypedVariable): Finding {
  const remedy =
    setting.meant === null ? `remove ${setting.name}` : `rename it to ${setting.meant}, or remove it`;
  return warnFinding('settings', mistypedVariableText(setting), remedy);
}

/** The check that the others about the service depend on. */
const SERVICE_CHECK = 'service and key';
const EVENTS_CHECK = 'event log';
const ORGANIZATION_CHECK = 'organization';

/** All findings about the service. If it refuses or does not answer, only the organization is read, which may explain why. */
async function checkFleet({ fleet, configuration }: Config): Promise<readonly Finding[]> {
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
    const events = await checkEvents(client.reader, fleet.baseUrl);
    return [devices, ...organization, events, ...(await checkRuleGroups(configuration, client.reader))];
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

const DATABASE_CHECK = 'database';

/** Checks of the database. Nothing is created, and Patchbay may be running on it. */
export async function checkDatabase(database: Database): Promise<readonly Finding[]> {
  if (database.kind === 'postgres') return [await checkServer(database)];
  if (!existsSync(database.path)) return [checkFolder(database.path)];
  return [await checkFile(database), ...checkModes(database.path)];
}

async function checkServer(database: Database): Promise<Finding> {
  try {
    const { schema, version, mayCreate } = await inspectDatabase(database);
    const needsTables = schema.kind === 'empty' || schema.kind === 'foreign';
    if (needsTables && mayCreate === false)
      return failFinding(
        DATABASE_CHECK,
        `PostgreSQL ${version}: this user can't create tables`,
        'grant this user CREATE on the schema, or use another user in DATABASE_URL',
      );
    // A server's database may hold other programs' tables too.
    return schema.kind === 'foreign'
      ? schemaFinding(`PostgreSQL ${version}`, { kind: 'empty' })
      : schemaFinding(`PostgreSQL ${version}`, schema);
  } catch (error) {
    return failFinding(
      DATABASE_CHECK,
      `PostgreSQL: ${errorReason(error)}`,
      'check DATABASE_URL, and that the server is running',
    );
  }
}

async function checkFile(database: Extract<Database, { kind: 'sqlite' }>): Promise<Finding> {
  const where = `SQLite at ${database.path}`;
  try {
    accessSync(database.path, constants.R_OK | constants.W_OK);
    const { schema, version, journal } = await inspectDatabase(database);
    const file = `SQLite ${version} at ${database.path}`;
    // The start rejects these, so the write-ahead log stays as it is.
    if (schema.kind === 'foreign' || schema.kind === 'other-version') return schemaFinding(file, schema);
    const log = journal === 'wal' ? 'write-ahead log on' : 'the next start turns the write-ahead log on';
    return schemaFinding(`${file}, ${log}`, schema);
  } catch (error) {
    return failFinding(
      DATABASE_CHECK,
      `${where}: ${errorReason(error)}`,
      'check the file and its folder, and that Patchbay can write to both',
    );
  }
}

/** The finding for the tables that a start would find. `what` names the database. */
function schemaFinding(what: string, schema: DatabaseStatus['schema']): Finding {
  switch (schema.kind) {
    case 'current':
      return okFinding(DATABASE_CHECK, `${what}; tables up to date`);
    case 'empty':
      return okFinding(DATABASE_CHECK, `${what}; empty; the next start creates the tables`);
    case 'other-version':
      return failFinding(
        DATABASE_CHECK,
        `${what}; tables of another version of Patchbay`,
        'run that version, or set DATABASE_URL to another database',
      );
    case 'foreign':
      return failFinding(
        DATABASE_CHECK,
        `${what}; ${schema.tables === 1 ? '1 table' : `${schema.tables} tables`} from another program, none from Patchbay`,
        'check that DATABASE_URL points to the right file',
      );
  }
}

/** Without a file, whether a start could create it. */
function checkFolder(file: string): Finding {
  const where = `SQLite at ${file}`;
  try {
    const missing = missingFolder(file);
    if (missing !== null)
      return failFinding(DATABASE_CHECK, `${where}: its folder does not exist`, `run ${missing.create}`);
    accessSync(path.dirname(path.resolve(file)), constants.W_OK);
    return okFinding(DATABASE_CHECK, `${where}; no file yet; the next start creates it`);
  } catch (error) {
    return failFinding(
      DATABASE_CHECK,
      `${where}: ${errorReason(error)}`,
      'check the folder in DATABASE_URL and its permissions',
    );
  }
}

/** Whether other users can read the files. Windows has no such modes. */
function checkModes(file: string): readonly Finding[] {
  const all = DATABASE_FILES.map((suffix) => `${file}${suffix}`).filter((one) => existsSync(one));
  const open = process.platform === 'win32' ? [] : all.filter((one) => (statSync(one).mode & 0o077) !== 0);
  const name = 'database files';
  if (open.length === 0) return [okFinding(name, 'only their owner can access them')];
  return [
    warnFinding(
      name,
      `other users can access ${open.join(', ')}`,
      'run chmod 600 on them; the next start does this for files that it owns',
    ),
  ];
}

/** Slack refuses requests signed more than five minutes off; proofs compare the service's times with ours. */
const MAX_SKEW_MS = 5 * MINUTE;
const NOTABLE_SKEW_MS = 30 * SECOND;
const REQUEST_TIMEOUT_MS = 5 * SECOND;

/** For each service the name of the check that failed, or null. A service that failed need not answer again. */
type FailedChecks = { readonly slack: string | null; readonly fleet: string | null };

/** One finding for each service. Findings are warnings from 30 s apart, and failures from 5 min. */
async function checkClockSkew(
  { slack, fleet }: Pick<Config, 'slack' | 'fleet'>,
  failed: FailedChecks,
): Promise<readonly Finding[]> {
  return [
    await skewAgainst('clock vs Slack', slack, failed.slack),
    await skewAgainst('clock vs service', { apiUrl: fleet.baseUrl, proxy: fleet.proxy }, failed.fleet),
  ];
}

async function skewAgainst(
  name: string,
  { apiUrl: url, proxy }: Pick<Config['slack'], 'apiUrl' | 'proxy'>,
  failed: string | null,
): Promise<Finding> {
  const dispatcher = createDispatcher(proxy, {});
  let theirs: Instant | null;
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await fetch(url, { method: 'HEAD', signal, dispatcher });
    theirs = readDate(answer.headers.get('date'));
  } catch {
    if (failed !== null) return skipFinding(name, failed);
    return warnFinding(name, `${url} did not answer`, 'compare the clocks manually');
  } finally {
    await dispatcher.destroy();
  }
  if (theirs === null) return warnFinding(name, 'the answer has no date', 'compare the clocks manually');
  const skew = Math.abs(wallNow() - theirs);
  const seen = `${Math.round(skew / SECOND)} s apart`;
  if (skew < NOTABLE_SKEW_MS) return okFinding(name, seen);
  const remedy = "sync this machine's clock with NTP";
  return skew < MAX_SKEW_MS ? warnFinding(name, seen, remedy) : failFinding(name, seen, remedy);
}

function readDate(header: string | null): Instant | null {
  const at = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(at) ? null : instant(at);
}

/** Which proxy each service is called through; empty without a proxy. The checks of both services show if it lets them through. */
function checkProxy({ fleet, slack }: Pick<Config, 'fleet' | 'slack'>): readonly Finding[] {
  if (slack.proxy === null) return [];
  const way = (name: string, address: string): string => {
    const proxy = proxyFor(slack.proxy, address);
    return `${name} ${proxy === null ? 'directly' : `through ${proxy}`}`;
  };
  return [okFinding('proxy', `${way('the service', fleet.baseUrl)}, ${way('Slack', slack.apiUrl)}`)];
}
