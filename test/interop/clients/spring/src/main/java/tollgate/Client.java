package tollgate;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** One page, which says whose it is. All else is Spring Boot's own: issuer, Client ID, secret and scopes are settings. */
@SpringBootApplication
@RestController
public class Client {
  public static void main(String[] words) {
    SpringApplication.run(Client.class, words);
  }

  @GetMapping("/account")
  String account(@AuthenticationPrincipal OidcUser user) {
    return "{\"email\":\"" + user.getEmail() + "\"}";
  }

  /** The lines of docs/clients.md. */
  @Bean
  @ConditionalOnProperty("with-lines")
  SecurityFilterChain withPkce(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
    var resolver = new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");
    resolver.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
    return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .oauth2Login(login -> login.authorizationEndpoint(it -> it.authorizationRequestResolver(resolver)))
        .build();
  }
}
