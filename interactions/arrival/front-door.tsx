// What {base_url} shows in production: nothing about the service, two ways on.
import type { Context } from 'koa';
import { FIRST_PARTY_NAME, firstPartyClients } from '../../src/first-party/clients.ts';
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
      title={FIRST_PARTY_NAME}
      heading={FIRST_PARTY_NAME}
      lead={frontDoor.lead}
      brand={{ name: FIRST_PARTY_NAME, logoPath: iconPath }}
    >
      <nav class="stack-tight" aria-label={FIRST_PARTY_NAME}>
        <a class="tile" href={firstPartyClients.account.path}>
          <span class="tile-head">{frontDoor.account}</span>
          <span class="fine">{frontDoor.accountLead}</span>
        </a>
        <a class="tile" href={firstPartyClients.settings.path}>
          <span class="tile-head">{frontDoor.settings}</span>
          <span class="fine">{frontDoor.settingsLead}</span>
        </a>
      </nav>
    </CardPage>,
  );
}
