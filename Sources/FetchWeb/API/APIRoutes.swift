/// All addresses of the API. Fields and addresses may be added, but never removed or renamed.
package enum APIRoutes {
  package static let all: [Route] =
    JobRoutes.all + ItemRoutes.all + RunRoutes.all + TransferRoutes.all + DeliveryRoutes.all
    + SubscriptionRoutes.all + ServiceRoutes.all + EventRoutes.all
}
