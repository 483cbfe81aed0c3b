// The static files of pages: stylesheet, icon, scripts. Their names carry a hash of their content, so browsers may keep them for
// a year and a new release is seen at once.
import type { Middleware } from 'koa';
import { fixedText, sendFixedText } from '../http/fixed-text.ts';
import { assetSeconds } from '../limits/pages.ts';
import { sha256 } from '../secrets.ts';
import { scripts } from './scripts.ts';
import { accountStyles } from './styles-account.ts';
import { chartStyles } from './styles-chart.ts';
import { componentStyles } from './styles-components.ts';
import { dashboardStyles } from './styles-dashboard.ts';
import { docsStyles } from './styles-docs.ts';
import { forcedStyles } from './styles-forced.ts';
import { moneyStyles } from './styles-money.ts';
import { previewStyles } from './styles-preview.ts';
import { settingsStyles } from './styles-settings.ts';
import { themeStyles } from './styles-theme.ts';
import { webhookStyles } from './styles-webhooks.ts';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3451d1"/><path d="M8 22V10m16 12V10M8 13.5l16 5" stroke="#fff" stroke-width="3" stroke-linecap="round" fill="none"/></svg>`;
const stylesheet =
  themeStyles +
  componentStyles +
  settingsStyles +
  chartStyles +
  moneyStyles +
  previewStyles +
  webhookStyles +
  accountStyles +
  docsStyles +
  dashboardStyles +
  forcedStyles;

export const stylesheetPath = `/assets/page-${sha256(stylesheet).slice(0, 12)}.css`;
export const iconPath = `/assets/icon-${sha256(icon).slice(0, 12)}.svg`;

const assets = new Map([
  [stylesheetPath, { type: 'text/css; charset=utf-8', body: fixedText(stylesheet) }],
  [iconPath, { type: 'image/svg+xml', body: fixedText(icon) }],
  ...[...scripts.values()].map(
    ({ path, body }) => [path, { type: 'text/javascript; charset=utf-8', body: fixedText(body) }] as const,
  ),
]);

export const serveAssets: Middleware = (ctx, next) => {
  const asset = assets.get(ctx.path);
  if (!asset || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
    return next();
  }
  ctx.set('Cache-Control', `public, max-age=${assetSeconds}, immutable`);
  ctx.type = asset.type;
  sendFixedText(ctx, asset.body);
};
