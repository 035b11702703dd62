package io.github.idem.http;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Where an answer sends its request on to, as clients that follow redirects go by it (RFC
 * 9110, section 15.4), and never from HTTPS to HTTP.
 *
 * @param location where to
 * @param method with which method
 * @param headers with which headers
 * @param sameMethod whether the body goes along
 * @param sameHost whether credentials go along
 */
record Redirect(URI location, HttpMethod method, HttpHeaders headers, boolean sameMethod, boolean sameHost) {

	/**
	 * Where an answer sends a request on to.
	 * @param uri the request's target
	 * @param method the request's method
	 * @param headers the request's headers
	 * @param status the answer's status
	 * @param location the answer's {@code Location}
	 * @param postBecomesGet whether a POST that is moved (301, 302) becomes a GET
	 * @return the redirect; {@code null} if there is none to follow
	 */
	static @Nullable Redirect of(URI uri, HttpMethod method, HttpHeaders headers, int status, @Nullable String location,
			boolean postBecomesGet) {
		boolean keepsMethod = status == 307 || status == 308;
		if (location == null || !(keepsMethod || (status >= 301 && status <= 303))) {
			return null;
		}
		URI target;
		try {
			target = uri.resolve(location);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
		if (target.getHost() == null
				|| ("https".equalsIgnoreCase(uri.getScheme()) && !"https".equalsIgnoreCase(target.getScheme()))) {
			return null;
		}
		boolean sameMethod = keepsMethod || (status != 303 && !(postBecomesGet && method == HttpMethod.POST));
		boolean sameHost = target.getHost().equalsIgnoreCase(uri.getHost()) && target.getPort() == uri.getPort();
		return new Redirect(target, sameMethod ? method : HttpMethod.GET, headers(headers, sameMethod, sameHost),
				sameMethod, sameHost);
	}

	private static HttpHeaders headers(HttpHeaders headers, boolean sameMethod, boolean sameHost) {
		HttpHeaders kept = new HttpHeaders();
		kept.putAll(headers);
		kept.remove(HttpHeaders.HOST);
		if (!sameMethod) {
			kept.remove(HttpHeaders.CONTENT_LENGTH);
			kept.remove(HttpHeaders.CONTENT_TYPE);
			kept.remove(HttpHeaders.CONTENT_ENCODING);
			kept.remove(HttpHeaders.TRANSFER_ENCODING);
		}
		if (!sameHost) {
			kept.remove(HttpHeaders.AUTHORIZATION);
			kept.remove(HttpHeaders.COOKIE);
		}
		return kept;
	}

}
