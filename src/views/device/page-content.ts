/** The content of a page of a device. */
import type { Mrkdwn } from '../kit/escape.ts';
import type { MessageBody } from '../kit/message.ts';

/** `summary` follows the device's name in the fallback text, and below the heading where `isSaid`. */
export type PageContent = { readonly summary: Mrkdwn; readonly isSaid?: true; readonly body: MessageBody };
