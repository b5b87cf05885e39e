/** The forms in which the service writes a time; all are UTC. */
import type { Instant } from '../../../clock.ts';

export type TimeForm =
  /** `YYYY-MM-DDThh:mm:ss+0000` */
  | 'offset'
  /** `YYYY-MM-DDThh:mm:ssZ` */
  | 'seconds'
  /** `YYYY-MM-DDThh:mm:ss.fffZ` */
  | 'milliseconds'
  /** `YYYY-MM-DD hh:mm:ss.ffffff` */
  | 'microseconds';

export function writeTime(form: TimeForm, at: Instant): string {
  const iso = new Date(at).toISOString();
  switch (form) {
    case 'offset':
      return `${iso.slice(0, 19)}+0000`;
    case 'seconds':
      return `${iso.slice(0, 19)}Z`;
    case 'milliseconds':
      return iso;
    case 'microseconds':
      return `${iso.slice(0, 10)} ${iso.slice(11, 23)}000`;
    default:
      return form satisfies never;
  }
}

/** A time in the form that devices and packages use. */
export function deviceTime(at: Instant): string;
export function deviceTime(at: Instant | null): string | null;
export function deviceTime(at: Instant | null): string | null {
  return at === null ? null : writeTime('offset', at);
}
