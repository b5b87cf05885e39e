/** Lines as people say them before they know any command. */
import { describe, expect, it } from 'vitest';
import { askedLine, saidLine } from '../../../src/commands/parser/said-lines.ts';

describe('a line that is no command', () => {
  it.each([
    ['what happened to web-01?', 'device web-01 timeline'],
    ['history of front network', 'device front network timeline'],
    ['timeline web-01', 'device web-01 timeline'],
    ['who is using web-01?', 'device web-01'],
    ['find dana', 'devices dana'],
    ['user jsmith', 'devices jsmith'],
    ['what is waiting for me', 'approvals'],
    ['what’s stuck?', 'approvals'],
    ['approve #1', 'approvals'],
    ['deny 2 because no', 'approvals'],
    ['resume the rollout', 'approvals'],
    ['my requests', 'approvals mine'],
    ['cancel my reboot', 'operations'],
    ['stop rollout', 'operations'],
    ['what did I approve today', 'operations'],
    ['who is missing CVE-2024-6387', 'missing CVE-2024-6387'],
    ['what failed today', 'alerts'],
    ['show me all running rollouts', 'rollouts'],
    ['which servers are missing patches', 'devices is:pending'],
    ['what devices does jsmith have', 'devices jsmith'],
    ['who asked for this', 'operations'],
    ['please cancel my rollout', 'operations'],
    ['close the alert on web-01', 'alerts'],
    ['settings', 'help settings'],
    ['when was web-01 last rebooted', 'device web-01 timeline'],
    ['disk space web-01', 'device web-01 volumes'],
    ['which computers need a reboot?', 'devices is:needs-reboot'],
    ['how many laptops are offline', 'devices is:offline'],
  ])('%s is read as a command that only looks', (said, meant) => {
    expect(saidLine(said)).toBe(meant);
  });

  it.each(['web-01', 'please reboot web-01', 'waitings', 'finder', 'show reboot web-01'])(
    '%s is left to the search',
    (said) => {
      expect(saidLine(said)).toBeNull();
    },
  );

  it('never puts what was typed into a change', () => {
    for (const line of ['find $1 $& x', 'user reboot web-01', 'what happened to x because y'])
      expect(saidLine(line)).toMatch(/^devices? /);
  });

  it.each([
    ['please reboot web-01 because hot', 'reboot web-01 because hot'],
    ['can you patch web-01', 'patch web-01'],
    ['schedule a reboot of web-01', 'reboot web-01'],
    ['install updates on web-02', 'patch web-02'],
    ['update chrome on eng-lt-05', 'patch eng-lt-05 chrome'],
    ['update web-11', 'patch web-11'],
    ['restart web-11', 'reboot web-11'],
    ['could you schedule a reboot of web-01', 'reboot web-01'],
    ['send alerts to #ops', 'subscribe #ops patch-failed'],
  ])('%s is offered as the change that it asks for', (said, asked) => {
    expect(askedLine(said)).toBe(asked);
    expect(saidLine(said)).toBeNull();
  });

  it('is no restart of a device where it asks for that of a service', () => {
    expect(askedLine('restart the print spooler on eng-lt-05')).toBeNull();
  });
});
