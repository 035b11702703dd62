package io.github.idem.sample;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OrdersTest {

	private static final BigDecimal PRICE = new BigDecimal("29.9");

	private final JdbcConnectionPool database = JdbcConnectionPool
		.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

	private final Orders orders = new Orders(JdbcClient.create(this.database));

	@BeforeEach
	void migrate() {
		Flyway.configure().dataSource(this.database).load().migrate();
	}

	@AfterEach
	void close() {
		this.database.dispose();
	}

	@Test
	void anOrderIsPaidForAndThenMade() {
		long order = this.orders.place("u1", Coffee.BEANS, 1);
		assertThat(this.orders.status(order)).isEqualTo(OrderStatus.PENDING_PAYMENT);

		assertThat(this.orders.beginPayment("u1", PRICE)).contains(order);
		assertThat(this.orders.status(order)).isEqualTo(OrderStatus.PAYING);

		this.orders.paid(order);
		assertThat(this.orders.status(order)).isEqualTo(OrderStatus.FULFILLED);
	}

	@Test
	void anOrderWhosePaymentFailedCanBePaidForAgain() {
		long order = this.orders.place("u1", Coffee.BEANS, 1);
		this.orders.beginPayment("u1", PRICE);

		this.orders.paymentFailed(order);
		assertThat(this.orders.status(order)).isEqualTo(OrderStatus.PAYMENT_FAILED);

		assertThat(this.orders.beginPayment("u1", PRICE)).contains(order);
		this.orders.paid(order);
		assertThat(this.orders.status(order)).isEqualTo(OrderStatus.FULFILLED);
	}

	@Test
	void anOrderOfAnotherUserOrAmountIsNotTaken() {
		this.orders.place("u2", Coffee.BEANS, 1);
		this.orders.place("u1", Coffee.BEANS, 2);

		assertThat(this.orders.beginPayment("u1", PRICE)).isEmpty();
	}

	@Test
	void aPaymentThatNobodyBeganIsRefused() {
		long order = this.orders.place("u1", Coffee.BEANS, 1);

		assertThatIllegalStateException().isThrownBy(() -> this.orders.paid(order)).withMessageContaining("not PAYING");
		assertThatIllegalStateException().isThrownBy(() -> this.orders.paymentFailed(order));
		assertThat(this.orders.status(order)).isEqualTo(OrderStatus.PENDING_PAYMENT);
	}

	@Test
	void anOrderIsNotPaidForTwice() {
		long order = this.orders.place("u1", Coffee.BEANS, 1);
		this.orders.beginPayment("u1", PRICE);
		this.orders.paid(order);

		assertThat(this.orders.beginPayment("u1", PRICE)).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> this.orders.paymentFailed(order));
		assertThat(this.orders.status(order)).isEqualTo(OrderStatus.FULFILLED);
	}

	@Test
	void ofEightWhoWantToPayForOneOrderOneGetsIt() throws Exception {
		long order = this.orders.place("u1", Coffee.BEANS, 1);
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		List<Future<Optional<Long>>> begun = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			begun.add(threads.submit(() -> {
				start.await();
				return this.orders.beginPayment("u1", PRICE);
			}));
		}

		start.countDown();

		List<Long> winners = new ArrayList<>();
		for (Future<Optional<Long>> future : begun) {
			future.get().ifPresent(winners::add);
		}
		threads.shutdown();
		assertThat(winners).containsExactly(order);
	}

	@ParameterizedTest
	@EnumSource(OrderStatus.class)
	void aChangeThatIsNotInTheDiagramIsRefusedFromAnyState(OrderStatus from) {
		long order = this.orders.place("u1", Coffee.BEANS, 1);

		Stream.of(OrderStatus.values())
			.filter((to) -> !from.mayBecome(to))
			.forEach((to) -> assertThatIllegalArgumentException().isThrownBy(() -> this.orders.move(order, from, to)));

		assertThat(Stream.of(OrderStatus.values()).filter(from::mayBecome))
			.hasSize((from == OrderStatus.PAYING) ? 2 : (from == OrderStatus.FULFILLED) ? 0 : 1);
	}

}
