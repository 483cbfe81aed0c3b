// The languages of the hosted pages and the account page as buttons, each in its own words.
import { Form } from '../src/page/button.tsx';
import { catalogue, type Language, languages } from './languages.ts';

export type LanguageSwitchProps = {
  language: Language;
  action: string;
  token: string;
  /** The page to come back to. */
  page: { field: string; value: string };
};

export function LanguageSwitch({ language, action, token, page }: LanguageSwitchProps) {
  return (
    <Form action={action} token={token} label={catalogue[language].shared.languages}>
      <input type="hidden" name={page.field} value={page.value} />
      <div class="languages">
        {languages.map((each) => (
          <button
            key={each}
            type="submit"
            class="language"
            name="language"
            value={each}
            lang={each}
            {...(each === language ? { 'aria-current': 'true' } : {})}
          >
            {catalogue[each].languageName}
          </button>
        ))}
      </div>
    </Form>
  );
}
