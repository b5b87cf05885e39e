import { expect, it } from 'vitest';
import { renderView } from '../../../src/views/views.ts';
import { aRequest, aStartedRequest, aTarget } from '../../harness/records.ts';
import { renderedText } from '../rendered-text.ts';

it('a card says that Patchbay tries again what certainly did not arrive', () => {
  const error = { kind: 'throttled', status: 429, detail: '', held: null } as const;
  const target = aTarget({ state: 'ready', evidence: [{ kind: 'unsent', error }] });
  const request = aStartedRequest({ targets: [target] });
  expect(renderedText(renderView({ kind: 'request', request }))).toContain(
    '\nIt could not be sent: the management service is limiting requests (HTTP 429). Patchbay tries again by itself.',
  );
});

it('a card says that Patchbay tries again where the state before sending could not be read', () => {
  const error = { kind: 'throttled', status: 429, detail: '', held: null } as const;
  const target = aTarget({ state: 'ready', evidence: [{ kind: 'not-read-yet', error }] });
  expect(
    renderedText(renderView({ kind: 'request', request: aStartedRequest({ targets: [target] }) })),
  ).toContain(
    '\nThe current state could not be read: the management service is limiting requests (HTTP 429). Patchbay tries again by itself.',
  );
});

it('so does the card of what was approved', () => {
  const error = { kind: 'throttled', status: 429, detail: '', held: null } as const;
  const target = aTarget({ state: 'ready', evidence: [{ kind: 'not-read-yet', error }] });
  const request = aRequest({ state: 'approved', targets: [target] });
  const shown = renderedText(renderView({ kind: 'request', request }));
  expect(shown).toContain('(HTTP 429). Patchbay tries again by itself.');
  expect(shown).not.toContain('Re-checking');
});
