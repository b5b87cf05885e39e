/** Environment and policy file, read once into a frozen {@link Config}: the only reader of `process.env`. */
import type { Role } from './access.ts';
import type { ChannelId, OrganizationId, PersonId, UserGroupId } from './ids.ts';

/** A value that must not be printed: JSON and string forms are `[secret]`; `reveal` is called where it is sent. */
export type Secret = { readonly reveal: () => string };

/** The policy file (`PATCHBAY_CONFIG`): roles by Slack user id and user group, and the channels to post in. */
export type Policy = {
  readonly roles: Readonly<Record<Role, readonly (PersonId | UserGroupId)[]>>;
  readonly channels: {
    readonly approvals: ChannelId;
    readonly patchAlerts: ChannelId;
    readonly newDevices: ChannelId;
  };
};

export type Database =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: Secret };

export type SlackTransport =
  | { readonly kind: 'socket'; readonly appToken: Secret }
  | { readonly kind: 'http'; readonly signingSecret: Secret };

export type Config = {
  readonly fleet: {
    readonly baseUrl: string;
    readonly apiKey: Secret;
    readonly organizationId: OrganizationId;
  };
  readonly slack: {
    readonly botToken: Secret;
    readonly transport: SlackTransport;
    readonly apiUrl: string;
  };
  readonly database: Database;
  readonly port: number;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  readonly policy: Policy;
};
