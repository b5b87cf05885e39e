/** `npm run doctor`: tries everything that the product needs and says what to do. It changes nothing, and a running bot is not in its way. */
import { readConfig, readMistypedVariables, secretsOf } from '../config/config.ts';
import { type MistypedVariable, mistypedVariableText } from '../config/mistyped-settings.ts';
import { createLog } from '../lib/log.ts';
import { checkDatabase } from './database.ts';
import { type Finding, findingText, warnFinding } from './finding.ts';
import { checkFleet } from './fleet.ts';
import { checkClockSkew, checkProxy } from './machine.ts';
import { checkSlack } from './slack.ts';
import { checkSubscribedChannels } from './subscribed-channels.ts';

/** Exit code 0: nothing failed; 1: something did; 2: the settings cannot be read. */
export async function doctor(): Promise<void> {
  const read = readConfig();
  const mistyped = readMistypedVariables();
  if (read.kind === 'faults') {
    process.stderr.write(`${[...read.faults, ...mistyped.map(mistypedVariableText)].join('\n')}\n`);
    process.exitCode = 2;
    return;
  }
  const { config } = read;
  const log = createLog({ level: 'silent', secrets: secretsOf(config) });
  const findings: Finding[] = [];
  const checks = [
    async () => checkProxy(config),
    async () => mistyped.map(checkMistyped),
    () => checkSlack(config, log),
    () => checkFleet(config),
    () => checkDatabase(config.database),
    () => checkSubscribedChannels(config, log),
    () => checkClockSkew(config),
  ];
  for (const check of checks) {
    const found = await check();
    for (const finding of found) process.stdout.write(`${findingText(finding)}\n`);
    findings.push(...found);
  }
  const failed = findings.filter(({ status }) => status === 'fail').length;
  const warned = findings.filter(({ status }) => status === 'warn').length;
  process.stdout.write(`\n${summary(failed, warned)}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function summary(failed: number, warned: number): string {
  if (failed > 0) return failed === 1 ? '1 problem to fix.' : `${failed} problems to fix.`;
  if (warned > 0) return `All checks passed with ${warned === 1 ? '1 warning' : `${warned} warnings`}.`;
  return 'All checks passed.';
}

function checkMistyped(setting: MistypedVariable): Finding {
  const remedy =
    setting.meant === null ? `remove ${setting.name}` : `rename it to ${setting.meant}, or remove it`;
  return warnFinding('settings', mistypedVariableText(setting), remedy);
}
