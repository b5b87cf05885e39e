/** `npm run doctor`: checks everything that Patchbay needs and says what to fix. It changes nothing and may run beside Patchbay. */
import {
  type Config,
  isPlainAddress,
  readConfig,
  readMistypedVariables,
  secretsOf,
} from '../config/config.ts';
import {
  type MistypedVariable,
  mistypedVariableText,
  settingsFaultText,
} from '../config/mistyped-settings.ts';
import { createLog } from '../lib/log.ts';
import { checkDatabase } from './database.ts';
import { type Finding, findingText, hasFailed, warnFinding } from './finding.ts';
import { checkFleet, SERVICE_CHECK } from './fleet.ts';
import { checkClockSkew, checkProxy } from './machine.ts';
import { BOT_TOKEN_CHECK, checkSlack } from './slack.ts';
import { checkSubscribedChannels } from './subscribed-channels.ts';

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
