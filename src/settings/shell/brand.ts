// How Tollgate itself stands above a card.
import { OWN_NAME } from '../../first-party/clients.ts';
import { iconPath } from '../../page/assets.ts';

export const ourselves = { name: OWN_NAME, logoPath: iconPath };
