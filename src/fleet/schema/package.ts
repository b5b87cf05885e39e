/** Packages of a device (§2.6) as they are sent: later rows of a recording lack most of their fields. */
import { z } from 'zod';
import type { Instant } from '../../clock.ts';
import type { DeviceId, OrganizationId } from '../../ids.ts';
import type { Package } from '../model.ts';
import { parseInstant } from '../time.ts';
import type { Fields } from './fields.ts';
import { another, bothReadings, type ReadRow, rowReader } from './rows.ts';

const shape = (f: Fields) =>
  z.object({
    id: f.id,
    server_id: f.reference,
    organization_id: f.reference,
    name: f.text,
    display_name: f.text,
    version: f.text,
    repo: f.text,
    installed: f.flag,
    ignored: f.flag,
    group_ignored: f.flag,
    deferred_until: f.text,
    group_deferred_until: f.text,
    severity: f.text,
    cves: f.texts,
    cve_score: f.number,
    requires_reboot: f.flag,
  });
type Wire = z.infer<ReturnType<typeof shape>>;

const read = bothReadings(shape);

/** Reads the packages of the device that was asked for. */
export function packageReader(organizationId: OrganizationId, deviceId: DeviceId): ReadRow<Package> {
  const foreign = (wire: Wire) =>
    another('organization', wire.organization_id, organizationId) ??
    another('device', wire.server_id, deviceId);
  return rowReader(read, foreign, build);
}

function build(wire: Wire): Package {
  const name = wire.name ?? '';
  return {
    id: wire.id,
    name,
    displayName: wire.display_name === null || wire.display_name === '' ? name : wire.display_name,
    version: wire.version,
    repo: wire.repo,
    // Installed is a claim that proves a patch: without the service's word it is not made.
    installed: wire.installed ?? false,
    ignored: wire.ignored === true || wire.group_ignored === true,
    deferredUntil: latest(parseInstant(wire.deferred_until), parseInstant(wire.group_deferred_until)),
    severity: wire.severity,
    cves: wire.cves ?? [],
    cveScore: wire.cve_score,
    requiresReboot: wire.requires_reboot ?? false,
  };
}

function latest(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
