// How Tollgate itself stands above a card.
import { OWN_NAME } from '../own-pages.ts';
import { iconPath } from '../page/assets.ts';

export const ourselves = { name: OWN_NAME, logoPath: iconPath };
