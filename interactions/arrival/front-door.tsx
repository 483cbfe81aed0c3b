// What {base_url} shows in production: nothing about the service, two ways on.
import type { Context } from 'koa';
import { OWN_NAME, ownPages } from '../../src/first-party/clients.ts';
import { iconPath } from '../../src/page/assets.ts';
import { renderPage } from '../../src/page/document.tsx';
import { CardPage } from '../../src/page/layout.tsx';
import { languageOf } from '../languages.ts';
import { frontDoorTexts } from './texts.ts';

export function showFrontDoor(ctx: Context): void {
  const language = languageOf(ctx);
  const frontDoor = frontDoorTexts[language];
  ctx.type = 'html';
  ctx.body = renderPage(
    <CardPage
      language={language}
      title={OWN_NAME}
      heading={OWN_NAME}
      lead={frontDoor.lead}
      brand={{ name: OWN_NAME, logoPath: iconPath }}
    >
      <nav class="stack-tight" aria-label={OWN_NAME}>
        <a class="tile" href={ownPages.account.path}>
          <span class="tile-head">{frontDoor.account}</span>
          <span class="fine">{frontDoor.accountLead}</span>
        </a>
        <a class="tile" href={ownPages.settings.path}>
          <span class="tile-head">{frontDoor.settings}</span>
          <span class="fine">{frontDoor.settingsLead}</span>
        </a>
      </nav>
    </CardPage>,
  );
}
