/** The local Slack against Slack's documented lists: methods, tiers, scopes, errors, blocks and elements by surface. */
import { describe, expect, it } from 'vitest';
import { allMethods } from '../../../../src/sandbox/slack/web-api/web-api.ts';
import { ELEMENT_SAMPLES, SAMPLES, SURFACES } from '../validate/samples.ts';
import { DOCUMENTED, isDocumented, UNDOCUMENTED_ERRORS } from './documented-lists.ts';

const METHODS = allMethods(() => '');
describe('the local Slack', () => {
  it('has the methods of the lists', () => {
    expect(METHODS.map(({ name }) => name).sort()).toEqual(Object.keys(DOCUMENTED.methods).sort());
  });

  it.each(METHODS)('has the documented tier of $name', ({ name, perMinute }) => {
    const { tier } = documented(name);
    // No number is documented for the special tier: about ten a second is what others saw.
    expect(perMinute).toBe(DOCUMENTED.tiers[tier] ?? 600);
  });

  it.each(METHODS)('needs the documented scopes and token for $name', ({ name, scopes, token }) => {
    const { bot, token: needsToken } = documented(name);
    expect(scopes.toSorted()).toEqual(bot);
    expect(token !== 'none').toBe(needsToken);
  });

  it.each(METHODS)('takes JSON for $name only where that is documented', ({ name, formOnly }) => {
    expect(formOnly).toBe(documented(name).formOnly);
  });

  it('has its blocks on the documented surfaces', () => {
    for (const { block, on } of SAMPLES)
      expect([block.type, on]).toEqual([block.type, DOCUMENTED.blocks[block.type]]);
  });

  it('has elements that are documented for all surfaces', () => {
    for (const { element } of ELEMENT_SAMPLES)
      expect([element.type, DOCUMENTED.elements[element.type]]).toEqual([element.type, SURFACES]);
  });
});

describe('the errors that are not documented', () => {
  it('are really not', () => {
    for (const { error, methods = [] } of UNDOCUMENTED_ERRORS)
      expect(methods.filter((method) => isDocumented(method, error))).toEqual([]);
  });

  it('have a source', () => {
    for (const { source, why } of UNDOCUMENTED_ERRORS)
      expect([source, why]).toEqual([expect.stringMatching(/^https:\/\/./), expect.stringMatching(/./)]);
  });
});

function documented(name: string) {
  const method = DOCUMENTED.methods[name];
  if (!method) throw new Error(`Slack has no method ${name}`);
  return method;
}
