// A browser that is signed in, in words that its owner recognises: browser and system, network address, first and last use.
import type { ComponentChildren } from 'preact';
import { Badge } from '../../src/page/badge.tsx';
import { isHandheld } from '../../src/page/device.ts';
import { Icon } from '../../src/page/icon.tsx';
import type { Language } from '../languages.ts';
import { deviceIn } from '../mail-request.ts';
import { Moment } from './moment.tsx';
import { sessionTexts } from './texts/sessions.ts';

export type DeviceProps = {
  language: Language;
  session: { userAgent: string; ipAddress: string; lastSeenAt: Date; createdAt: Date };
  isHere: boolean;
  /** What else is open there. */
  children?: ComponentChildren;
  /** The way to end it. */
  end?: ComponentChildren;
};

export function Device({ language, session, isHere, children, end }: DeviceProps) {
  const { sessions: texts } = sessionTexts[language];
  return (
    <li class="device">
      <span class="row-icon">
        <Icon name={isHandheld(session.userAgent) ? 'phone' : 'desktop'} />
      </span>
      <div class="row-words">
        <strong>
          {deviceIn(language, session.userAgent)} {isHere && <Badge kind="good">{texts.here}</Badge>}
        </strong>
        <span class="fine">
          {texts.lastUsed}: <Moment relative at={session.lastSeenAt} language={language} />
        </span>
        <span class="fine">
          {texts.signedIn}: <Moment at={session.createdAt} language={language} />
        </span>
        <span class="fine">
          {texts.address}: {session.ipAddress}
        </span>
        {children}
      </div>
      {end}
    </li>
  );
}
