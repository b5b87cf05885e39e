import { describe, expect, it } from 'vitest';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import { renderView } from '../../../src/views/views.ts';
import { aRequest, someFacts, somePackages } from '../../harness/records.ts';
import { renderedText } from '../rendered-text.ts';
import { readyTargets } from '../request-records.ts';

const card = (more: Partial<RequestWithTargets>) => renderView({ kind: 'request', request: aRequest(more) });

describe('the card of a patch', () => {
  it.each([
    [{ severities: ['critical'], named: [] }, 'all missing critical patches.'],
    [
      { severities: ['critical', 'high'], named: ['nano'] },
      'all missing critical or high patches, and by name nano.',
    ],
  ])('says how the packages were chosen: %o', (chosen, said) => {
    const action = { kind: 'patch', packages: ['curl', 'nano'], chosen } as const;
    const targets = readyTargets(someFacts({ packages: somePackages('curl', 'nano') }));
    const shown = renderedText(card({ action, targets }));
    expect(shown).toContain(said);
    expect(shown).toContain('curl, nano');
  });

  it('says of each package what is known, and counts the rest of many', () => {
    const packages = Array.from({ length: 500 }, (_, at) => ({
      name: `package-${at}`,
      version: '3.0.2',
      severity: 'high',
      cves: ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'],
      requiresReboot: at === 0,
    }));
    const targets = readyTargets(someFacts({ packages }));
    const shown = renderedText(card({ action: { kind: 'patch-all' }, targets }));
    expect(shown).toContain(
      'To install (500)*: package-0 3.0.2 (high; CVE-2026-1, CVE-2026-2 and 1 more; reboot required), package-1 3.0.2',
    );
    expect(shown).toContain('and 485 more');
  });

  it('says nothing of severities where the packages were named', () => {
    expect(renderedText(card({ action: { kind: 'patch', packages: ['curl'] } }))).not.toContain('severity');
  });

  it('names every package that is to be installed, also of many', () => {
    const packages = Array.from({ length: 60 }, (_, at) => `package-${at}-end`);
    const action = { kind: 'patch', packages } as const;
    const targets = readyTargets(someFacts({ packages: somePackages(...packages) }));
    const shown = renderedText(card({ action, targets }));
    for (const name of packages) expect(shown).toContain(name);
  });
});
