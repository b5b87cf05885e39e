/** Lines as people say them before they know any command. */
import { describe, expect, it } from 'vitest';
import { askedLine, isSentence, saidLine, withoutCourtesy } from '../../../src/commands/parser/said-lines.ts';

describe('a line that is no command', () => {
  it.each([
    ['what happened to web-01?', 'device web-01 timeline'],
    ['history of front network', 'device front network timeline'],
    ['timeline web-01', 'device web-01 timeline'],
    ['find dana', 'devices dana'],
    ['user jsmith', 'devices jsmith'],
    ['what is waiting for me', 'approvals'],
    ['what’s stuck?', 'approvals'],
    ['approve #1', 'approvals'],
    ['deny 2 because no', 'approvals'],
    ['deny the reboot of web-01: not today', 'approvals'],
    ['devices missing openssl', 'missing openssl'],
    ['resume the rollout', 'approvals'],
    ['my requests', 'approvals mine'],
    ['cancel my reboot', 'operations'],
    ['stop rollout', 'operations'],
    ['what did I approve today', 'audit days:1'],
    ['my approvals', 'approvals'],
    ['withdraw my last request', 'approvals mine'],
    ['how far is the rollout', 'operations'],
    ['what runs right now', 'operations'],
    ['am I an admin', 'help'],
    ['let @jsmith patch', 'help'],
    ['roles', 'help'],
    ['is everything working', 'status'],
    ['list silences', 'subscriptions'],
    ['who is missing CVE-2024-6387', 'missing CVE-2024-6387'],
    ['what failed today', 'alerts days:1'],
    ['show me all running rollouts', 'rollouts'],
    ['which servers are missing patches', 'devices is:pending'],
    ['who asked for this', 'operations'],
    ['please cancel my rollout', 'operations'],
    ['close the alert on web-01', 'alerts'],
    ['settings', 'help settings'],
    ['disk space web-01', 'device web-01 volumes'],
    ['which computers need a reboot?', 'devices is:needs-reboot'],
    ['how many laptops are offline', 'devices is:offline'],
    ['offline servers', 'devices is:offline'],
    ['offline for 30 days', 'devices is:stale'],
    ['pending reboots', 'devices is:needs-reboot'],
    ['who is affected by CVE-2024-6387 and CVE-2025-0001?', 'missing CVE-2024-6387 and CVE-2025-0001'],
    ['kb5044284 status', 'missing kb5044284'],
    ['show me critical vulnerabilities', 'missing severity:critical'],
    ['which servers need openssl', 'missing openssl'],
    ['who can approve reboots', 'help'],
    ['make jsmith an approver', 'help'],
    ['who am I', 'help'],
    ['what can I do', 'help'],
    ['what’s running', 'operations'],
    ['mute alerts for 2h', 'help silence'],
    ['when is the next patch window?', 'policies'],
  ])('%s is read as a command that only looks', (said, meant) => {
    expect(saidLine(said)).toBe(meant);
  });

  it.each([
    ['devices that need a reboot', 'devices is:needs-reboot'],
    ['devices not seen in 30 days', 'devices is:stale'],
    ['reboot required', 'devices is:needs-reboot'],
    ['reboot all', 'help filters'],
    ['patch status web-01', 'packages web-01'],
    ['groups Laptops', 'group Laptops'],
    ['missing CVE-2024-6387 csv', 'missing CVE-2024-6387'],
  ])('%s only begins like a command', (said, meant) => {
    expect(isSentence(said)).toBe(true);
    expect(saidLine(said)).toBe(meant);
  });

  it.each(['devices web-01', 'devices without', 'reboot web-01', 'patch web-01 critical', 'status', 'pause'])(
    '%s is a command',
    (line) => {
      expect(isSentence(line)).toBe(false);
    },
  );

  it.each(['web-01', 'please reboot web-01', 'waitings', 'finder', 'show reboot web-01'])(
    '%s is left to the search',
    (said) => {
      expect(saidLine(said)).toBeNull();
    },
  );

  it('takes no line for a sentence that is longer than one', () => {
    const said = 'which devices are missing patches';
    expect(saidLine(said.padEnd(300))).not.toBeNull();
    for (const read of [saidLine, askedLine]) expect(read(`${said}${' x'.repeat(200)}`)).toBeNull();
    expect(withoutCourtesy(`reboot ${'x'.repeat(300)} please`)).toMatch(/please$/);
  });

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
    ['please patch web-11 because outage on Monday', 'patch web-11 because outage on Monday'],
    ['patch chrome on laptops', 'patch laptops chrome'],
    ['restart web-11', 'reboot web-11'],
    ['could you schedule a reboot of web-01', 'reboot web-01'],
    ['send alerts to #ops', 'subscribe #ops patch-failed'],
    ['alert me when patches fail', 'subscribe me patch-failed'],
    ['update all laptops because monthly', 'patch group:"laptops" because monthly'],
    ['deploy chrome to web-01', 'patch web-01 chrome'],
    ['restart web-11 tonight', 'reboot web-11 tonight'],
    ['reboot web-11 now because hot', 'reboot web-11 because hot'],
    ['devices not patched in 30 days', 'devices is:pending'],
    ['who hasn’t been rebooted this month', 'devices is:needs-reboot'],
    ['who has chrome 120', 'missing chrome'],
    ['restart the computer of okim', 'reboot okim'],
    ['patch the Linux servers in 3 waves', 'patch group:"Linux servers" waves:34%,67%'],
    ['patch web-01, web-02 in two waves because x', 'patch web-01, web-02 waves:50% because x'],
  ])('%s is offered as the change that it asks for', (said, asked) => {
    expect(askedLine(said)).toBe(asked);
    expect(saidLine(said)).toBeNull();
  });

  it.each([
    ['which computers have not been seen for 2 weeks', 'devices is:offline sort:seen'],
    ['who hasn’t checked in this week', 'devices is:offline sort:seen'],
    ['offline since 14 days', 'devices is:offline sort:seen'],
    ['not seen in 3 months', 'devices is:offline sort:seen'],
    ['what happened to web-01 yesterday', 'device web-01 timeline'],
    ['what failed yesterday', 'alerts'],
    ['what happened yesterday', 'operations'],
  ])('%s is offered without its time, which no command takes', (said, near) => {
    expect(askedLine(said)).toBe(near);
    expect(saidLine(said)).toBeNull();
  });

  it('is a change of what a CVE affects before it is a list of it', () => {
    for (const of of ['', 'everything affected by ', 'all devices vulnerable to ']) {
      expect(askedLine(`patch ${of}CVE-2024-6387 because x`)).toBe('patch missing:CVE-2024-6387 because x');
      expect(isSentence(`patch ${of}CVE-2024-6387`)).toBe(true);
    }
    expect(isSentence('patch web-01 CVE-2024-6387')).toBe(false);
  });

  it('is a change of a severity before it is a list of it', () => {
    for (const line of ['install critical updates on web-01', 'patch critical on web-01'])
      expect(askedLine(line)).toBe('patch severity:critical web-01');
    expect(isSentence('patch critical on web-01')).toBe(true);
  });

  it.each([
    ['reboot web-01 please!', 'reboot web-01'],
    ['restart web-01, thanks', 'restart web-01'],
    ['reboot web-01, it hangs', 'reboot web-01 because it hangs'],
    ['reboot web-01 because they said please', 'reboot web-01 because they said please'],
    ['scan web-01, it-02', 'scan web-01, it-02'],
    ['thanks', 'thanks'],
  ])('%s means the same without courtesy', (said, meant) => {
    expect(withoutCourtesy(said)).toBe(meant);
  });

  it('is no restart of a device where it asks for that of a service', () => {
    expect(askedLine('restart the print spooler on eng-lt-05')).toBeNull();
  });
});
