/** A batch job as the service returns it before anything is done ("in practice" 7). */
import type { Instant } from '../../../lib/clock.ts';
import { uuidOf } from '../world/random.ts';
import { deviceTime } from './time-formats.ts';

export type Job = { readonly number: number; readonly devices: number; readonly createdAt: Instant };

export function jobJson({ number, devices, createdAt }: Job): object {
  return {
    id: uuidOf(`batch ${number}`),
    total_jobs: devices,
    pending_jobs: devices,
    processed_jobs: 0,
    progress: 0,
    failed_jobs: 0,
    created_at: deviceTime(createdAt),
    cancelled_at: null,
    finished_at: null,
  };
}
