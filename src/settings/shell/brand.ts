// How Tollgate itself stands above a card.
import { FIRST_PARTY_NAME } from '../../first-party/clients.ts';
import { iconPath } from '../../page/assets.ts';

export const ourselves = { name: FIRST_PARTY_NAME, logoPath: iconPath };
